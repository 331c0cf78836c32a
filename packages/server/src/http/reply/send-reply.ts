import type { ServerResponse } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { HttpLimits } from "../limits.ts";
import type { RouteReply } from "../route.ts";
import { commonHeaders } from "./common-headers.ts";
import type { OpenStreams } from "./open-streams.ts";
import { writeStream } from "./write-stream.ts";

interface Sending {
  readonly outgoing: ServerResponse;
  readonly streams: OpenStreams;
  readonly limits: Pick<HttpLimits, "stalledMs">;
}

/** Sends a reply. A stream is written to the connection itself, which says when it has taken a part. */
export async function sendReply(reply: RouteReply, sending: Sending): Promise<Response> {
  const { status, body, stream, contentType = "application/json", headers } = reply;
  const all = { ...commonHeaders, "content-type": contentType, ...headers };
  if (stream !== undefined) return sendStream(stream, { status, headers: all }, sending);
  if (body === undefined) return new Response(null, { status, headers: { ...commonHeaders, ...headers } });
  return new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers: all });
}

async function sendStream(
  stream: AsyncIterable<string | Uint8Array>,
  { status, headers }: { readonly status: number; readonly headers: Readonly<Record<string, string>> },
  { outgoing, streams, limits }: Sending,
): Promise<Response> {
  const parts = stream[Symbol.asyncIterator]();
  if (streams.isFull) {
    await parts.return?.();
    throw streams.tooMany();
  }
  await streams.during(async () => {
    outgoing.writeHead(status, { ...headers, "x-accel-buffering": "no" });
    outgoing.flushHeaders();
    await writeStream(parts, outgoing, limits);
  });
  return RESPONSE_ALREADY_SENT;
}
