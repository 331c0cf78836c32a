/** Tests MCP servers that redirect their clients to another machine. The other origin is another port here. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { openServer } from "./mcp-test-context.ts";

const token = "Bearer tulip-9931-meadow";

async function startServer(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    answer(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const statuses = [301, 302, 303, 307, 308];
const transports = ["http", "sse"] as const;

/** Starts a server with one tool, which answers at `/moved` only. */
async function serveTools(request: IncomingMessage, response: ServerResponse) {
  if (request.url !== "/moved") return void response.writeHead(307, { location: "/moved" }).end();
  if (request.method === "GET") return void response.writeHead(405).end();
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { id, method } = JSON.parse(Buffer.concat(chunks).toString() || "{}");
  if (id === undefined) return void response.writeHead(202).end();
  const results: Readonly<Record<string, object>> = {
    initialize: {
      protocolVersion: "2025-06-18",
      capabilities: { tools: {} },
      serverInfo: { name: "moved", version: "1" },
    },
    "tools/list": { tools: [{ name: "act", inputSchema: { type: "object" } }] },
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id, result: results[method] ?? {} });
  response.writeHead(200, { "content-type": "application/json" }).end(body);
}

test.each(transports.flatMap((transport) => statuses.map((status) => ({ transport, status }))))(
  "a redirect $status of an MCP server over $transport to another origin is not followed",
  async ({ transport, status }) => {
    const other = await startServer(serveTools);
    const first = await startServer((request, response) => {
      request.resume();
      response.writeHead(status, { location: `${other.origin}/moved` }).end();
    });
    const opened = openServer({ transport, url: `${first.origin}/mcp`, headers: { authorization: token } });
    await expect(opened).rejects.toThrow("The MCP server odd cannot be used");
    expect(first.seen.length).toBeGreaterThan(0);
    expect(other.seen).toEqual([]);
  },
);

test("messages of the older transport are not sent to another origin that the server names", async () => {
  const other = await startServer(serveTools);
  const first = await startServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`event: endpoint\ndata: ${other.origin}/moved\n\n`);
  });
  const opened = openServer({ transport: "sse", url: `${first.origin}/sse`, headers: { authorization: token } });
  await expect(opened).rejects.toThrow("The MCP server odd cannot be used");
  expect(other.seen).toEqual([]);
});

test("a redirect of an MCP server within its origin is followed with its headers", async () => {
  const server = await startServer(serveTools);
  const { tools } = await openServer({
    transport: "http",
    url: `${server.origin}/mcp`,
    headers: { authorization: token },
  });
  expect(tools.map(({ name }) => name)).toEqual(["act"]);
  expect(server.seen).toContain(`POST /moved ${token}`);
});
