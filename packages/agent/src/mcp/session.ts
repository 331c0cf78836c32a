import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "@bridle/protocol";
import { Client, SseError } from "@modelcontextprotocol/client";
import { createLink, type TransportParts } from "./transports.ts";

/** One connection to a server, from its handshake to its end. */
export interface ServerSession {
  readonly client: Client;
  readonly isOver: boolean;
  /** How the server ended, where that is known. */
  lastWords(): string;
  /** Finds out whether the server still answers, and lets go of it when not; a call after it waits for that. */
  probe(): void;
  /** Resolves when nothing is being found out. */
  settled(): Promise<void>;
  /** Never rejects. */
  close(): Promise<void>;
}

export interface SessionParts extends TransportParts {
  /** The server says that its tools are others now. */
  onToolsChanged(): void;
  onOver(): void;
}

/** A server that does not answer the simplest request in this time is not worth waiting for. */
const probeMs = 5000;

/** How long a server may take to hear that we leave. */
const leaveMs = 2000;

const listMaxPages = 1000;

/** What is said of ourselves to a server; it names no version that could be told apart. */
const ourselves = { name: "bridle", version: "0" };

/** Connects to a server. Rejects when the signal is aborted or the server does not shake hands; nothing is left then. */
export async function openServerSession(parts: SessionParts, signal: AbortSignal): Promise<ServerSession> {
  signal.throwIfAborted();
  const { config, logger } = parts;
  const link = createLink(parts);
  let isOpen = false;
  let isOver = false;
  let probing: Promise<void> | undefined;

  const client = new Client(ourselves, {
    listMaxPages, // a server whose list has no end
    capabilities: {}, // whatever a server asks for, it is told that there is no such thing
    listChanged: { tools: { autoRefresh: false, onChanged: () => parts.onToolsChanged() } },
  });
  tellLogs(client, config.name, logger);
  client.onclose = () => {
    isOver = true;
    parts.onOver();
  };
  client.onerror = (error) => {
    logger.debug({ server: config.name, error: error.message }, "an MCP server or the way to it is in trouble");
    if (!isOpen) return; // the handshake tells it
    if (error instanceof SseError) void close();
    else if (/stream disconnected|reconnection attempts/i.test(error.message)) probe();
  };

  function probe(): void {
    if (isOver) return;
    probing ??= client
      .ping({ timeout: probeMs })
      .then(() => {})
      .catch(() => close())
      .finally(() => {
        probing = undefined;
      });
  }

  async function close(): Promise<void> {
    if (!isOver) await Promise.race([link.takeLeave().catch(() => {}), wait(leaveMs, undefined, { ref: false })]);
    await client.close().catch(() => {}); // nobody is left to be told
  }

  try {
    await orAborted(client.connect(link.transport, { signal, timeout: 2000 * config.timeout }), signal);
  } catch (cause) {
    const lastWords = link.lastWords();
    await link.transport.close().catch(() => {});
    throw lastWords === "" ? cause : new Error(lastWords); // that its connection is closed says less
  }
  isOpen = true;
  return {
    client,
    get isOver() {
      return isOver;
    },
    lastWords: link.lastWords,
    probe,
    settled: async () => probing,
    close,
  };
}

/** What a server logs by the protocol goes where its standard error goes. */
function tellLogs(client: Client, server: string, logger: Logger): void {
  client.setNotificationHandler("notifications/message", ({ params: { level, data } }) => {
    const message = typeof data === "string" ? data : JSON.stringify(data);
    if (level === "debug") logger.debug({ server }, message);
    else if (level === "info" || level === "notice") logger.info({ server }, message);
    else logger.warn({ server, level }, message);
  });
}

/** Rejects with the signal's reason, whatever the work does. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** What an error and its causes say: that of a request over HTTP is in its cause alone. */
export function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const own = thrown.message || ("code" in thrown ? String(thrown.code) : thrown.name);
  if (!(thrown.cause instanceof Error)) return own;
  const deeper = reasonOf(thrown.cause);
  return own.includes(deeper) ? own : `${own}: ${deeper}`;
}
