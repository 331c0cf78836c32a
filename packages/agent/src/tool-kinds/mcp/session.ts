import { setTimeout as wait } from "node:timers/promises";
import { untilAborted } from "@bridle/core";
import type { Logger } from "@bridle/protocol";
import { Client, SseError } from "@modelcontextprotocol/client";
import { SchemaValidator } from "./schema-validator.ts";
import { createLink, type ServerLink, type TransportParts } from "./transports.ts";

export interface SessionParts extends TransportParts {
  /** Called when the server announces that its tools have changed. */
  onToolsChanged(): void;
  /** Called once, when the connection has ended. */
  onEnd(): void;
}

/** The time that a server has to answer a ping before the session is closed. */
const probeMs = 5000;

/** The time that a server has to take note of the end of the session. */
const leaveMs = 2000;

/** Stops servers that list tools endlessly. */
const listMaxPages = 1000;

/** The name of this client for servers. The version is constant, so that servers behave the same with every version. */
const clientInfo = { name: "bridle", version: "0" };

/** One connection to a server, from its handshake to its end. */
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
      capabilities: {}, // requests of the server are answered with "method not found"
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
      throw lastWords === "" ? cause : new Error(lastWords); // more useful than "connection closed"
    }
    this.#isOpen = true;
  }

  /** How the server ended, if known. */
  lastWords(): string {
    return this.#link.lastWords();
  }

  /** Finds out whether the server still answers, and closes the session if it does not. */
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

  /** Resolves when no probe is in progress. */
  async settled(): Promise<void> {
    await this.#probing;
  }

  /** Never rejects. */
  async close(): Promise<void> {
    if (!this.#isEnded) {
      const leaving = this.#link.endSession().catch(() => {});
      await Promise.race([leaving, wait(leaveMs, undefined, { ref: false })]);
    }
    await this.client.close().catch(() => {}); // nothing can be done about it
  }

  #onError(error: Error): void {
    const { config, logger } = this.#parts;
    logger.debug({ server: config.name, error: error.message }, "an MCP server or its connection reported an error");
    if (!this.#isOpen) return; // `open` rejects with it
    if (error instanceof SseError) void this.close();
    else if (/stream disconnected|reconnection attempts/i.test(error.message)) this.probe();
  }
}

/** Log messages of the protocol go to the same logger as the server's standard error. */
function forwardLogs(client: Client, server: string, logger: Logger): void {
  client.setNotificationHandler("notifications/message", ({ params: { level, data } }) => {
    const message = typeof data === "string" ? data : JSON.stringify(data);
    if (level === "debug") logger.debug({ server }, message);
    else if (level === "info" || level === "notice") logger.info({ server }, message);
    else logger.warn({ server, level }, message);
  });
}
