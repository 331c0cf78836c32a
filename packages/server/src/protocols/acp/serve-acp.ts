/** `bridle acp`: serves one editor over two streams. */
import { Readable, Writable } from "node:stream";
import { ndJsonStream } from "@agentclientprotocol/sdk";
import { AcpAgent, type AcpAgentOptions } from "./acp-agent.ts";

interface AcpStreams {
  readonly input: Readable;
  readonly output: Writable;
  /** Ends the connection. */
  readonly signal: AbortSignal;
}

/**
 * Serves an editor until it disconnects or the signal is aborted. Runs in progress continue until `close` of the workspace stops
 * them.
 */
export async function serveAcp(options: AcpAgentOptions, { input, output, signal }: AcpStreams): Promise<void> {
  const stream = ndJsonStream(Writable.toWeb(output), Readable.toWeb(input));
  const connection = new AcpAgent(options).createApp().connect(stream);
  const onAbort = () => connection.close();
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  await connection.closed;
  signal.removeEventListener("abort", onAbort);
}
