import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { ClientConnection } from "../protocol/client-connection.ts";

export interface StdioOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** The maximum size of one message in bytes. */
  readonly messageBytes: number;
  /** Ends the connection. */
  readonly signal: AbortSignal;
  onError(error: Error): void;
}

/** Serves one connection on two streams. Resolves when the input has ended, or the signal is aborted. */
export async function serveOnStreams(
  connection: ClientConnection,
  { input, output, messageBytes, signal, onError }: StdioOptions,
): Promise<void> {
  const transport = new StdioServerTransport(input, output, { maxBufferSize: messageBytes });
  const ended = new AbortController();
  const end = () => ended.abort();
  for (const event of ["end", "close", "error"]) input.once(event, end);
  output.once("error", end);
  signal.addEventListener("abort", end, { once: true });
  const handle = serveStdio(() => connection.createServer(), { transport, onerror: onError });
  const close = transport.close.bind(transport);
  transport.close = async () => {
    end(); // the transport closes itself after a message that is too long
    await close();
  };
  try {
    if (!signal.aborted && !input.readableEnded) await once(ended.signal, "abort");
  } finally {
    for (const event of ["end", "close", "error"]) input.off(event, end);
    output.off("error", end);
    signal.removeEventListener("abort", end);
    await connection.close();
    await handle.close();
  }
}
