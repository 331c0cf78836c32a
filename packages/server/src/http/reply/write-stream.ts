import type { ServerResponse } from "node:http";
import type { Logger } from "@bridle/protocol";

export interface StreamSending {
  readonly outgoing: ServerResponse;
  /** Aborted when the reader disconnects or the server shuts down. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
  readonly limits: { readonly stalledMs: number };
}

interface StreamHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Writes the parts in order, each when the connection has accepted the previous one. Always ends the response, and always starts
 * and ends the stream, so that the stream can close its resources.
 */
export async function writeStream(
  stream: AsyncIterable<string | Uint8Array>,
  { status, headers }: StreamHead,
  { outgoing, signal, logger, limits }: StreamSending,
): Promise<void> {
  const parts = stream[Symbol.asyncIterator]();
  let next = parts.next(); // before anything can fail: a generator that has not started skips its `finally`
  next.catch(() => {}); // awaited below
  try {
    outgoing.writeHead(status, headers).flushHeaders();
    for (;;) {
      const { done, value } = await next;
      if (done || outgoing.destroyed) break;
      if (!outgoing.write(value)) await drained(outgoing, limits.stalledMs);
      next = parts.next();
    }
    outgoing.end();
  } catch (error) {
    if (!signal.aborted) logger.error({ error }, "a stream failed");
    outgoing.destroy(); // the status is already sent, so only a broken connection shows the client that the reply is incomplete
  } finally {
    await parts.return?.();
  }
}

/** Resolves when the connection can accept more data, or is closed. Closes the connection if it makes no progress for too long. */
function drained(outgoing: ServerResponse, stalledMs: number): Promise<void> {
  return new Promise((resolve) => {
    const stalled = setTimeout(() => outgoing.destroy(), stalledMs);
    const done = () => {
      clearTimeout(stalled);
      outgoing.off("drain", done).off("close", done);
      resolve();
    };
    outgoing.once("drain", done).once("close", done);
    if (outgoing.destroyed) done();
  });
}
