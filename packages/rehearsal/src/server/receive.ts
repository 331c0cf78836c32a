import type { IncomingMessage } from "node:http";
import type { WritableRequest } from "./request-log.ts";

/** Reads a request to its end. */
export async function receive(incoming: IncomingMessage, at: number): Promise<WritableRequest> {
  const { pathname, search } = new URL(incoming.url ?? "/", "http://loopback");
  return {
    at,
    method: incoming.method ?? "GET",
    path: pathname,
    query: search.slice(1),
    headers: incoming.headers,
    body: parseBody(await readText(incoming)),
    closed: false,
  };
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}

function parseBody(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
