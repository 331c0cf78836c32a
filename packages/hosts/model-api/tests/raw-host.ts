/** Starts a loopback host that answers with bytes, for answers that no correct server sends. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

interface RawRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface RawHost {
  readonly url: string;
  readonly requests: readonly RawRequest[];
}

/** Starts the host. `answer` gets the number of each request, from 0. The host ends with the test. */
export async function startRawHost(answer: (response: ServerResponse, index: number) => unknown): Promise<RawHost> {
  const requests: RawRequest[] = [];
  const server = createServer(async (incoming, response) => {
    requests.push({ path: incoming.url ?? "", headers: incoming.headers, body: await text(incoming) });
    answer(response, requests.length - 1);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** Returns a stream of server-sent events. An object becomes a chunk; a string is sent unchanged. */
export function sseBody(...parts: readonly (object | string)[]): string {
  return parts.map((part) => (typeof part === "string" ? part : `data: ${JSON.stringify(part)}\n\n`)).join("");
}

export function stream(response: ServerResponse, body: string | Buffer): void {
  response.writeHead(200, { "content-type": "text/event-stream" }).end(body);
}

export const done = "data: [DONE]\n\n";

/** Returns a chunk of Chat Completions. */
export function chunk(delta: object, finish_reason: string | null = null, more: object = {}): object {
  return {
    id: "c",
    object: "chat.completion.chunk",
    created: 1,
    model: "m",
    choices: [{ index: 0, delta, finish_reason }],
    ...more,
  };
}
