import { randomUUID } from "node:crypto";
import { isTimeLimit, silentFailure } from "../../../sessions/silent-server.ts";
import { type ClickHouseConfig, describeClickHouse } from "../clickhouse-settings.ts";
import { clickhouseRefusal, clickhouseUnreachable } from "./failures.ts";

/** Settings of each statement, which make its values exact. */
const formats = {
  default_format: "JSONCompactEachRowWithNamesAndTypes",
  date_time_output_format: "iso",
  output_format_json_quote_64bit_integers: "0",
  output_format_json_quote_denormals: "1",
  output_format_decimal_trailing_zeros: "1",
  cancel_http_readonly_queries_on_client_close: "1",
} as const;

/** The time limit for one of the connector's own statements, in milliseconds. */
export const ownTimeoutMs = 120_000;

/** How many milliseconds the server may take to accept the request that ends a statement. */
const killMs = 5_000;

export interface SentStatement {
  readonly id: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Sends statements to one server. */
export class ClickHouseClient {
  readonly place: string;
  readonly user: string;
  /** Whether the account lets a statement set `readonly`. */
  setsReadOnly = true;
  /** The number of statements for callers and for the catalog, without those that end other statements. */
  statements = 0;
  readonly #config: ClickHouseConfig;

  constructor(config: ClickHouseConfig) {
    this.#config = config;
    this.place = describeClickHouse(config);
    this.user = config.user;
  }

  /** Sends a statement with the settings for reading, and returns the answer when it begins to arrive. */
  run(sql: string, statement: SentStatement): Promise<Response> {
    const seconds = Math.max(1, Math.ceil(statement.timeoutMs / 1000));
    const readOnly: Record<string, string> = this.setsReadOnly ? { readonly: "1" } : {};
    const settings = { ...formats, ...readOnly, max_execution_time: String(seconds), timeout_overflow_mode: "throw" };
    return this.#post(sql, { ...settings, query_id: statement.id }, statement);
  }

  /** Sends one of the connector's own statements without settings, and returns the lines of the answer. */
  async ask(sql: string, timeoutMs: number, signal?: AbortSignal): Promise<string[][]> {
    const signals = [AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])];
    const sent = { id: randomUUID(), timeoutMs, signal: AbortSignal.any(signals) };
    const text = await this.#answer(`${sql} FORMAT TSV`, sent).catch((error: unknown) => {
      throw isTimeLimit(error) && !signal?.aborted ? silentFailure(`ClickHouse at ${this.place}`, error) : error;
    });
    return text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => line.split("\t"));
  }

  async #answer(sql: string, sent: SentStatement): Promise<string> {
    const response = await this.#post(sql, { query_id: sent.id }, sent);
    return response.text();
  }

  /** Ends a statement on the server. Needs no permission, because an account may always end its own statements. */
  async kill(id: string): Promise<void> {
    await this.ask(`KILL QUERY WHERE query_id = '${id}' ASYNC`, killMs).catch(() => {});
  }

  async #post(sql: string, parameters: Readonly<Record<string, string>>, sent: SentStatement): Promise<Response> {
    const { host, port, user, password, database, tls = "verified" } = this.#config;
    const url = new URL(tls === "off" ? `http://${host}:${port ?? 8123}/` : `https://${host}:${port ?? 8443}/`);
    if (database !== undefined) url.searchParams.set("database", database);
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    const headers = { "X-ClickHouse-User": user, "X-ClickHouse-Key": password, "Content-Type": "text/plain" };
    const { signal = null, timeoutMs } = sent;
    let response: Response;
    try {
      response = await fetch(url, { method: "POST", headers, body: sql, signal, redirect: "error" });
    } catch (error) {
      throw signal?.aborted ? error : clickhouseUnreachable(error, this.place);
    }
    if (response.ok) return response;
    const body = await response.text();
    throw clickhouseRefusal(response.status, body, { place: this.place, user, timeoutMs });
  }
}
