import type { ServerResponse } from "node:http";

type Parts = AsyncIterator<string | Uint8Array>;

/** Writes the parts one after the other, each when the connection has taken the one before. Always ends the connection's response. */
export async function writeStream(
  parts: Parts,
  outgoing: ServerResponse,
  { stalledMs }: { readonly stalledMs: number },
): Promise<void> {
  try {
    for (;;) {
      const { done, value } = await parts.next();
      if (done || outgoing.destroyed) break;
      if (!outgoing.write(value)) await drained(outgoing, stalledMs);
    }
    outgoing.end();
  } catch {
    outgoing.destroy(); // the status is sent, so only a broken connection tells the client that this is not the whole
  } finally {
    await parts.return?.();
  }
}

/** Resolves when the connection can take more, or is closed. Closes it if it takes nothing for too long. */
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
