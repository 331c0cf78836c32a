/** A loopback server for API tests, which answers routes, returns planned faults, and records requests. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";

export interface ApiCall {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  /** The body: JSON, or a form. */
  readonly body: unknown;
}

export interface ApiReply {
  readonly status?: number | undefined;
  readonly json?: unknown;
  readonly text?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Ends the connection instead of answering. */
  readonly isBroken?: boolean | undefined;
}

export interface ApiServer {
  readonly url: string;
  readonly calls: ApiCall[];
  /** Replaces the answers to the next requests with this text in their path. */
  plan(path: string, ...replies: readonly ApiReply[]): void;
  /** Returns the number of requests with this text in their path. */
  count(path: string): number;
}

export async function startApiServer(answer: (call: ApiCall) => ApiReply): Promise<ApiServer> {
  const calls: ApiCall[] = [];
  const planned: { readonly path: string; readonly reply: ApiReply }[] = [];
  const server = createServer((request, response) => {
    void readCall(request).then((call) => {
      calls.push(call);
      const index = planned.findIndex(({ path }) => call.path.includes(path));
      const reply = index === -1 ? answer(call) : (planned.splice(index, 1)[0]?.reply ?? {});
      send(reply, request, response);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    plan: (path, ...replies) => planned.push(...replies.map((reply) => ({ path, reply }))),
    count: (path) => calls.filter((call) => call.path.includes(path)).length,
  };
}

async function readCall(request: IncomingMessage): Promise<ApiCall> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString();
  const url = new URL(request.url ?? "/", "http://localhost");
  const isForm = request.headers["content-type"]?.startsWith("application/x-www-form-urlencoded");
  const body: unknown =
    text === "" ? undefined : isForm ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text);
  return { method: request.method ?? "", path: url.pathname, query: url.searchParams, headers: request.headers, body };
}

function send(
  { status = 200, json, text, headers = {}, isBroken }: ApiReply,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (isBroken) {
    request.socket.destroy();
    return;
  }
  response
    .writeHead(status, { "Content-Type": "application/json", ...headers })
    .end(text ?? JSON.stringify(json ?? {}));
}
