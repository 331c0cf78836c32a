import { setTimeout as wait } from "node:timers/promises";
import { untilAborted } from "@bridle/core";
import type { Logger } from "@bridle/protocol";
import { Client, SseError } from "@modelcontextprotocol/client";
import { SchemaValidator } from "./schema-validator.ts";
import { createLink, type ServerLink, type TransportParts } from "./transports.ts";

export interface SessionParts extends TransportParts {
  /** Called when the server announces changes to its tools. */
  onToolsChanged(): void;
  /** Called once, when the connection has ended. */
  onEnd(): void;
}

/** How long a server may take to answer a ping before the session is closed. */
const probeMs = 5000;

/** How long a server may take to handle the end of the session. */
const leaveMs = 2000;

/** The maximum number of pages of tools, because a server could list tools endlessly. */
const listMaxPages = 1000;

/** The name of this client for servers. The version never changes, so that servers behave the same with every version of Bridle. */
const clientInfo = { name: "bridle", version: "0" };

/** A connection to a server, from the handshake to the end. */
export class ServerSession {
  readonly client: Client;
  readonly #parts: SessionParts;
  readonly #link: ServerLink;
  #isOpen = false;
  #isEnded = false;
  #probing: Promise<void> | undefined;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#link = createLink(parts);
    this.client = new Client(clientInfo, {
      listMaxPages,
      jsonSchemaValidator: new SchemaValidator(parts.logger),
      capabilities: {}, // requests from the server are answered with "method not found"
      listChanged: { tools: { autoRefresh: false, onChanged: () => parts.onToolsChanged() } },
    });
    forwardLogs(this.client, parts.config.name, parts.logger);
    this.client.onclose = () => {
      this.#isEnded = true;
      parts.onEnd();
    };
    this.client.onerror = (error) => this.#onError(error);
  }

  /** Whether the handshake succeeded. */
  get wasOpen(): boolean {
    return this.#isOpen;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Connects. Rejects if the signal is aborted or the handshake fails; nothing is left open then. */
  async open(signal: AbortSignal): Promise<void> {
    const timeout = 2000 * this.#parts.config.timeout;
    try {
      signal.throwIfAborted();
      await untilAborted(this.client.connect(this.#link.transport, { signal, timeout }), signal);
    } catch (cause) {
      const lastWords = this.#link.lastWords();
      await this.#link.transport.close().catch(() => {});
      throw lastWords === "" ? cause : new Error(lastWords); // more helpful than "connection closed"
    }
    this.#isOpen = true;
  }

  /** How the server ended, if known. */
  lastWords(): string {
    return this.#link.lastWords();
  }

  /** Pings the server, and closes the session if the server does not answer. */
  probe(): void {
    if (this.#isEnded) return;
    this.#probing ??= this.client
      .ping({ timeout: probeMs })
      .then(() => {})
      .catch(() => this.close())
      .finally(() => {
        this.#probing = undefined;
      });
  }

  /** Resolves when no ping is in progress. */
  async settled(): Promise<void> {
    await this.#probing;
  }

  /** Ends the session and closes the connection. Never rejects. */
  async close(): Promise<void> {
    if (!this.#isEnded) {
      const leaving = this.#link.endSession().catch(() => {});
      await Promise.race([leaving, wait(leaveMs, undefined, { ref: false })]);
    }
    await this.client.close().catch(() => {}); // nothing can be done about this error
  }

  #onError(error: Error): void {
    const { config, logger } = this.#parts;
    logger.debug({ server: config.name, error: error.message }, "an MCP server or its connection reported an error");
    if (!this.#isOpen) return; // `open` rejects with this error
    if (error instanceof SseError) void this.close();
    else if (/stream disconnected|reconnection attempts/i.test(error.message)) this.probe();
  }
}

/** Passes the protocol's log messages to the same logger as the server's standard error. */
function forwardLogs(client: Client, server: string, logger: Logger): void {
  client.setNotificationHandler("notifications/message", ({ params: { level, data } }) => {
    const message = typeof data === "string" ? data : JSON.stringify(data);
    if (level === "debug") logger.debug({ server }, message);
    else if (level === "info" || level === "notice") logger.info({ server }, message);
    else logger.warn({ server, level }, message);
  });
}
