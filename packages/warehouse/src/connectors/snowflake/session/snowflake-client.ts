import { setTimeout as sleep } from "node:timers/promises";
import { NetworkError } from "@bridle/protocol";
import type { z } from "zod";
import { type RestAnswer, sendRest } from "../../../rest/rest-request.ts";
import { parseServiceAddress } from "../../../rest/service-address.ts";
import type { LoginTokens } from "../login/login-token.ts";
import { type SnowflakeConfig, snowflakeEndpoint } from "../snowflake-settings.ts";
import { statementStatusSchema } from "./answers.ts";
import { isSnowflakeBusy, readSnowflakeFailure } from "./failures.ts";

/** How many milliseconds the server may take to accept the request that ends a statement. */
const cancelMs = 5_000;

const service = { product: "Snowflake", isTransient: isSnowflakeBusy };

/** A request to the statements API. */
export interface SnowflakeRequest {
  /** The path after `/api/v2/statements`: nothing, or a handle and `cancel`. */
  readonly path?: readonly string[] | undefined;
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** Parameters that are added to `query` if the request is sent again. */
  readonly queryAgain?: Readonly<Record<string, string>> | undefined;
  /** The body. A request with a body is sent as a POST. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** Sends requests to Snowflake's SQL API, version 2. */
export class SnowflakeClient {
  readonly host: string;
  readonly tokens: LoginTokens;
  /** The number of statements for callers and for the catalog. */
  statements = 0;
  /** How many milliseconds the answer to a request may take. If undefined, the longer limit of an open connection applies. */
  answerMs: number | undefined;
  readonly #endpoint: URL;
  readonly #cancelling = new Set<Promise<unknown>>();

  constructor(config: SnowflakeConfig, tokens: LoginTokens) {
    this.#endpoint = parseServiceAddress(snowflakeEndpoint(config), "endpoint");
    this.host = this.#endpoint.host;
    this.tokens = tokens;
  }

  /** @throws SnowflakeFailure if Snowflake refuses the request, NetworkError, ConfigError */
  async send(request: SnowflakeRequest): Promise<RestAnswer> {
    const { path = [], query = {}, queryAgain = {}, body, signal } = request;
    const headers = {
      Authorization: `Bearer ${this.tokens.take()}`,
      "X-Snowflake-Authorization-Token-Type": this.tokens.credentials.kind,
      Accept: "application/json",
      "User-Agent": "bridle",
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    };
    const answer = await sendRest(
      {
        method: body === undefined ? "GET" : "POST",
        url: this.#url(path, query),
        urlAgain: this.#url(path, { ...query, ...queryAgain }),
        headers,
        body: body === undefined ? undefined : JSON.stringify(body),
        signal,
        answerMs: this.answerMs,
      },
      service,
    );
    if (answer.status >= 400) throw readSnowflakeFailure(answer);
    return answer;
  }

  parse<Schema extends z.ZodType>({ text }: RestAnswer, schema: Schema): z.output<Schema> {
    try {
      return schema.parse(JSON.parse(text));
    } catch (cause) {
      throw new NetworkError(
        `Snowflake at ${this.host} sent an answer that cannot be read. Try again, or check account and endpoint.`,
        { cause },
      );
    }
  }

  /** Ends a statement on the server. Does not fail if the statement has already ended. */
  cancel(handle: string): Promise<void> {
    const request = this.send({ path: [handle, "cancel"], body: {}, signal: AbortSignal.timeout(cancelMs) });
    return this.#remember(request);
  }

  /** Ends the statement of a request as soon as an answer with the statement's handle arrives. */
  cancelLater(submitting: Promise<RestAnswer>): void {
    const request = submitting.then(async (answer) => {
      const { statementHandle } = this.parse(answer, statementStatusSchema);
      if (statementHandle !== undefined) await this.cancel(statementHandle);
    });
    void this.#remember(request);
  }

  async #remember(request: Promise<unknown>): Promise<void> {
    this.#cancelling.add(request);
    await request.catch(() => {});
    this.#cancelling.delete(request);
  }

  /** Waits for a while until the statements that are being cancelled have ended. */
  async close(): Promise<void> {
    const ended = Promise.allSettled(this.#cancelling);
    await Promise.race([ended, sleep(cancelMs, undefined, { ref: false })]);
  }

  #url(path: readonly string[], query: Readonly<Record<string, string>>): URL {
    const url = new URL(["/api/v2/statements", ...path.map(encodeURIComponent)].join("/"), this.#endpoint);
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
    return url;
  }
}
