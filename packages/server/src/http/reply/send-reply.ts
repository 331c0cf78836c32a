import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { RouteReply } from "../route.ts";
import { commonHeaders } from "./common-headers.ts";
import type { UnreadReplies } from "./unread-replies.ts";
import { type StreamSending, writeStream } from "./write-stream.ts";

interface Sending extends StreamSending {
  readonly unread: UnreadReplies;
  /** The user who sent the request. */
  readonly user: string;
}

/**
 * Sends a reply. A stream is written directly to the connection, because only the connection reports when it has accepted a part.
 */
export async function sendReply(reply: RouteReply, sending: Sending): Promise<Response> {
  const { status, body, stream, contentType = "application/json", headers } = reply;
  const all = { ...commonHeaders, "content-type": contentType, ...headers };
  if (stream !== undefined) {
    await writeStream(stream, { status, headers: { ...all, "x-accel-buffering": "no" } }, sending);
    return RESPONSE_ALREADY_SENT;
  }
  if (body === undefined) return new Response(null, { status, headers: { ...commonHeaders, ...headers } });
  return sendWhole(typeof body === "string" ? body : JSON.stringify(body), { status, headers: all }, sending);
}

function sendWhole(text: string, head: ResponseInit, { outgoing, unread, user }: Sending): Response {
  unread.add(outgoing, user, Buffer.byteLength(text));
  return new Response(text, head);
}
