import type { IncomingMessage } from "node:http";
import { isTooDeep } from "@bridle/protocol";
import { oneValue, type RequestHead } from "../guards/request-head.ts";
import { RequestProblem } from "../problem.ts";

/**
 * The maximum nesting of lists and objects in a body. The event log accepts 256 levels, of which an event uses a few itself.
 */
const maxLevels = 100;

/** Reads JSON of at most `limit` bytes. Returns `undefined` for an empty body. @throws RequestProblem */
export async function readJson(incoming: IncomingMessage, limit: number): Promise<unknown> {
  const bytes = await readLimited(incoming, limit);
  if (bytes.length === 0) return undefined;
  const body = parseJson(bytes);
  if (!isTooDeep(body, maxLevels)) return body;
  const message = `A body may have ${maxLevels} levels of lists and objects in each other. Send a flatter one.`;
  throw new RequestProblem(422, "body-too-deep", message, { limit: maxLevels });
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new RequestProblem(400, "bad-json", "The body is not JSON in UTF-8. Correct it.");
  }
}

async function readLimited(incoming: IncomingMessage, limit: number): Promise<Buffer> {
  if (Number(incoming.headers["content-length"] ?? 0) > limit) throw tooLarge(limit);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(limit: number): RequestProblem {
  return new RequestProblem(413, "body-too-large", `A body may have ${limit} bytes here. Send less.`, { limit });
}

/** Requires JSON: without a preflight, a page of another site can send a form, but not JSON. @throws RequestProblem */
export function requireJson(head: RequestHead): void {
  const type = oneValue(head, "content-type");
  if (type !== undefined && /^application\/json(; ?charset="?utf-8"?)?$/i.test(type)) {
    if (head.all("content-encoding").length === 0) return;
    throw new RequestProblem(415, "bad-encoding", "The body is compressed. Send it without Content-Encoding.");
  }
  throw new RequestProblem(
    415,
    "not-json",
    "A request that may change something needs the header Content-Type: application/json.",
  );
}
