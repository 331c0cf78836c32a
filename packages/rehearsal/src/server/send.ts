import type { ServerResponse } from "node:http";
import { setImmediate, setTimeout } from "node:timers/promises";
import type { StreamEvent } from "../protocol/protocol.ts";
import type { Delivery, Ending } from "../script/script.ts";
import { toChunks } from "./chunks.ts";

/** The response to which an answer is written. */
export interface Outgoing {
  readonly response: ServerResponse;
  /** Aborted when either side closes the connection. */
  readonly hungUp: AbortSignal;
  /** Breaks the connection, if the script requests it. */
  drop(): void;
}

export function sendJson({ response }: Outgoing, status: number, headers: Record<string, string>, body: unknown): void {
  response.writeHead(status, { ...headers, "content-type": "application/json" }).end(JSON.stringify(body));
}

export function sendPage({ response }: Outgoing, status: number, headers: Record<string, string>): void {
  const page = `<!DOCTYPE html>\n<html><head><title>${status}</title></head><body><h1>${status}</h1></body></html>\n`;
  response.writeHead(status, { "content-type": "text/html; charset=utf-8", ...headers }).end(page);
}

/** Sends events as they become ready, in the chunks and with the ending that the script specifies. */
export async function sendEvents(
  outgoing: Outgoing,
  events: Iterable<StreamEvent>,
  delivery: Delivery,
  ending: Ending,
) {
  outgoing.response.flushHeaders();
  for (const { data, isPiece } of events) {
    if (isPiece) await delay(outgoing, delivery.chunkMs);
    for (const bytes of toChunks(data, delivery.chunks)) await write(outgoing, bytes, delivery);
  }
  if (ending === "cut") await delay(outgoing, delivery.chunkMs); // if the connection breaks, data that was not read is lost
  end(outgoing, ending);
}

/** Waits until the time is over or either side closes the connection. */
export async function delay({ hungUp }: Outgoing, milliseconds: number): Promise<void> {
  if (milliseconds > 0) await setTimeout(milliseconds, undefined, { signal: hungUp });
}

/** Writes bytes. Resolves when the operating system has the bytes. Rejects if the connection has been closed. */
async function write({ response, hungUp }: Outgoing, bytes: Uint8Array, { chunks }: Delivery): Promise<void> {
  hungUp.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    response.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
  if (chunks !== "events") await setImmediate();
}

/** Ends the response. A stall leaves the connection open without data until the client closes it. */
function end({ response, drop }: Outgoing, ending: Ending): void {
  if (ending === "whole") response.end();
  if (ending === "cut") drop();
}
