/** Converts Node.js requests and responses to and from web requests and responses, which the protocol's library uses. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";

/** Reads the body of a request; undefined if it exceeds the limit. Rejects if the client disconnects. */
export async function readLimitedBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) return undefined;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Converts a request. `signal` is aborted when the client disconnects. Throws TypeError for a header that the web API does not allow. */
export function toWebRequest(request: IncomingMessage, body: Buffer, signal: AbortSignal): Request {
  const { method = "GET", headers, url = "/" } = request;
  const pairs = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || name.startsWith(":") ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
  );
  const hasBody = method !== "GET" && method !== "HEAD";
  return new Request(new URL(url, "http://localhost"), {
    method,
    headers: pairs,
    signal,
    ...(hasBody && { body: new Uint8Array(body) }),
  });
}

/** Sends a response. Resolves when it was sent, or when the client has disconnected. */
export async function sendResponse(from: Response, to: ServerResponse): Promise<void> {
  to.writeHead(from.status, Object.fromEntries(from.headers));
  if (from.body === null) {
    to.end();
    return;
  }
  to.flushHeaders(); // an event stream may stay empty for a long time
  const body = Readable.fromWeb(from.body as ReadableStream); // the types of the web and of Node.js differ in name only
  await pipeline(body, to).catch(() => {}); // the client is gone
}

/** Formats a refusal as the protocol requires: an error without a request. */
export function refuse(
  to: ServerResponse,
  status: number,
  message: string,
  headers: Record<string, string> = {},
): void {
  const body = JSON.stringify({ jsonrpc: "2.0", error: { code: -32_000, message }, id: null });
  to.writeHead(status, { "content-type": "application/json", connection: "close", ...headers });
  to.end(body);
}
