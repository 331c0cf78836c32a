/** The format of server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html */
import type { RunEvent } from "@bridle/protocol";

/** The start of every stream. Clients reconnect one second after a disconnect. */
export const streamStart = "retry: 1000\n\n";

/** A comment, which keeps proxies from closing a stream without events. */
export const keepAlive = ": keep-alive\n\n";

/** Why the server ends a stream: it is shutting down, or the followed session was removed. */
export type EndOfStream = { readonly reason: "shutdown" } | { readonly reason: "removed"; readonly sessionId: string };

/** Formats the last message of a stream that the server ends. If a stream ends without this message, the connection was lost. */
export function formatBye(end: EndOfStream): string {
  return formatMessage("bye", end);
}

/** Formats a message without an id, because a client that reconnects gets the newest message anyway. */
export function formatMessage(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** The formatted text of pages that several viewers read. */
const texts = new WeakMap<readonly RunEvent[], string>();

/** Formats a page of one session. The id of each event is its `seq`. */
export function formatSessionPage(page: readonly RunEvent[]): string {
  const text = texts.get(page) ?? page.map((event) => formatEvent(event, String(event.seq))).join("");
  texts.set(page, text);
  return text;
}

/** Formats a page of one of several sessions. The id of its last event contains the positions in all sessions. */
export function formatPageAmong(page: readonly RunEvent[], place: string): string {
  return page.map((event, index) => formatEvent(event, index === page.length - 1 ? place : undefined)).join("");
}

function formatEvent(event: RunEvent, id: string | undefined): string {
  const place = id === undefined ? "" : `id: ${id}\n`;
  return `${place}event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
