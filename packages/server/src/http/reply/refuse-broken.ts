import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { RequestProblem } from "../problem.ts";
import { toFormattedProblem } from "./send-problem.ts";

const problems: Readonly<Record<string, RequestProblem>> = {
  HPE_HEADER_OVERFLOW: new RequestProblem(
    431,
    "headers-too-large",
    "The headers of the request are too large. Send fewer.",
  ),
  ERR_HTTP_REQUEST_TIMEOUT: new RequestProblem(408, "too-slow", "The request did not arrive in time. Send it again."),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new RequestProblem(413, "body-too-large", "The extensions of a chunk are too large."),
};
const malformed = new RequestProblem(400, "malformed", "The request is not HTTP/1.1. Correct it.");

/** How long a client has to read the reply, in milliseconds. */
const lastMs = 1000;

/**
 * Replies to a request that Node.js cannot parse, and closes the connection, because the start of the next request is unknown.
 */
export function refuseBroken(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const { status, headers, text } = toFormattedProblem(problems[error.code ?? ""] ?? malformed, "/");
  const lines = Object.entries({ ...headers, connection: "close", "content-length": `${Buffer.byteLength(text)}` });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const last = setTimeout(() => socket.destroy(), lastMs); // otherwise a client could keep the connection open
  socket.once("close", () => clearTimeout(last));
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${text}`);
}
