import type { Client } from "pg";
import { type LogDatabase, pauseAfter, quoteIdentifier } from "../database/log-database.ts";

/** Milliseconds between two checks for changes if the server cannot send notifications. */
const pollMs = 100;

const connectMs = 15_000;

/**
 * The number of these intervals between two checks if the server sends notifications. Checks remain necessary, because a process may have
 * died.
 */
const ticksBetweenLooks = 20;

export interface ChangeListenerOptions {
  readonly database: LogDatabase;
  /** Called with the message of a change. The message is empty if anything may have changed. */
  onChange(message: string): void;
}

/**
 * Learns about other processes' writes from the server's notifications. If the connection cannot receive notifications, for example behind
 * a pooler, checks the tables regularly instead. Works from `start` to `stop`.
 */
export class ChangeListener {
  readonly #options: ChangeListenerOptions;
  #client: Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #ticks = 0;
  #retryAt = 0;
  #failures = 0;
  #isConnecting = false;

  constructor(options: ChangeListenerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer ??= setInterval(() => this.#tick(), pollMs);
    void this.#connect();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => {});
  }

  #tick(): void {
    this.#ticks += 1;
    if (this.#client === undefined) void this.#connect();
    if (this.#client === undefined || this.#ticks % ticksBetweenLooks === 0) this.#options.onChange("");
  }

  /** Connects for notifications. Never rejects: without a connection, regular checks find the changes. */
  async #connect(): Promise<void> {
    if (this.#client || this.#isConnecting || performance.now() < this.#retryAt) return;
    this.#isConnecting = true;
    try {
      const client = await this.#listen();
      if (this.#timer === undefined) await client.end();
      else this.#client = client;
      this.#failures = 0;
    } catch {
      this.#retryAt = performance.now() + pauseAfter(this.#failures++);
    }
    this.#isConnecting = false;
    this.#options.onChange(""); // something may have changed before the connection was ready
  }

  async #listen(): Promise<Client> {
    const { default: pg } = await import("pg");
    const { url, schema } = this.#options.database;
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
      application_name: "bridle",
    });
    const forget = () => {
      if (this.#client === client) this.#client = undefined;
    };
    client.on("error", forget).on("end", forget);
    client.on("notification", ({ payload = "" }) => this.#options.onChange(payload));
    try {
      await client.connect();
      await client.query(`LISTEN ${quoteIdentifier(schema)}`);
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
    return client;
  }
}
