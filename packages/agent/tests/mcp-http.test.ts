import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { callContext, openServer } from "./mcp-test-context.ts";

const everything = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/dist/index.js");

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts the protocol's reference server, from npm, on a free port. */
async function startEverything(transport: "streamableHttp" | "sse", port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [everything, transport], {
    env: { PATH: process.env.PATH, PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  await expect.poll(() => said, { timeout: 60_000 }).toMatch(/listening|running/i);
  return child;
}

test("the reference server's tools run over standard streams", async () => {
  const { tools, call, find } = await openServer({ command: process.execPath, args: [everything, "stdio"] });
  expect(tools.length).toBeGreaterThan(8);
  expect(await call("echo", { message: "hello" })).toBe("Echo: hello");
  expect(await call("get-sum", { a: 2, b: 3 })).toContain("5");
  expect(await find("get-tiny-image").execute({}, callContext())).toMatchObject({
    images: [{ mediaType: "image/png" }],
  });
  const names = Object.keys(JSON.parse(await call("get-env")));
  expect(names.filter((name) => name !== "BRIDLE_FAMILY")).toEqual(["PATH", "PYTHONPYCACHEPREFIX"]);
});

test.for(["http", "sse"] as const)(
  "the reference server's tools run over %s, even after a restart of the server",
  async (transport) => {
    const port = await freePort();
    const name = transport === "http" ? "streamableHttp" : "sse";
    const first = await startEverything(name, port);
    const url = `http://127.0.0.1:${port}/${transport === "http" ? "mcp" : "sse"}`;
    const { call } = await openServer({ transport, url });
    expect(await call("echo", { message: "hello" })).toBe("Echo: hello");
    const told: string[] = [];
    const progress = (message: string) => void told.push(message);
    await call("trigger-long-running-operation", { duration: 0.2, steps: 2 }, { progress });
    expect(told).toContain("1 of 2"); // progress that is sent together with the result may arrive late
    first.kill("SIGKILL");
    await once(first, "exit");
    await expect(call("echo", { message: "anybody?" })).rejects.toThrow("The MCP server odd is not available");
    await startEverything(name, port);
    expect(await call("echo", { message: "again" })).toBe("Echo: again");
  },
);

type Handle = (message: { id?: number; method?: string }, request: IncomingMessage, response: ServerResponse) => void;

interface HttpStage {
  readonly url: string;
  readonly requests: { readonly method: string; readonly headers: IncomingMessage["headers"]; readonly rpc?: string }[];
}

const result = (id: number | undefined, value: object) => JSON.stringify({ jsonrpc: "2.0", id, result: value });

/** Starts a server over HTTP with a session and one tool. The test answers the calls to the tool. */
async function startHttp(onCall: Handle): Promise<HttpStage> {
  const requests: HttpStage["requests"] = [];
  const server: Server = createServer(async (request, response) => {
    const body = await new Response(ReadableStreamOf(request)).text();
    const message = body === "" ? {} : JSON.parse(body);
    requests.push({ method: request.method ?? "", headers: request.headers, rpc: message.method });
    const json = (value: object) =>
      response.writeHead(200, { "content-type": "application/json" }).end(result(message.id, value));
    if (request.method === "GET") return void response.writeHead(405).end();
    if (message.method === "initialize") {
      response.setHeader("mcp-session-id", "s1");
      return void json({
        protocolVersion: "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "h", version: "1" },
      });
    }
    if (message.method === "tools/list")
      return void json({ tools: [{ name: "act", inputSchema: { type: "object" } }] });
    if (message.method === "tools/call") return onCall(message, request, response);
    if (message.method === "ping") return void json({});
    response.writeHead(202).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, requests };
}

async function* chunksOf(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  for await (const chunk of request) yield chunk;
}

const ReadableStreamOf = (request: IncomingMessage) => ReadableStream.from(chunksOf(request));

test("every request has the configured headers, and the session is ended when the server is closed", async () => {
  const { url, requests } = await startHttp(({ id }, _, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(result(id, { content: [] }));
  });
  const fixture = await openServer({ transport: "http", url, headers: { Authorization: "Bearer abc" } });
  await fixture.call("act");
  await fixture.close();
  expect(new Set(requests.map(({ headers }) => headers.authorization))).toEqual(new Set(["Bearer abc"]));
  expect(requests.map(({ method }) => method)).toContain("DELETE");
});

test("a session is not ended if terminate_on_close is false", async () => {
  const { url, requests } = await startHttp(() => {});
  const fixture = await openServer({ transport: "http", url, terminate_on_close: false });
  await fixture.close();
  expect(requests.map(({ method }) => method)).not.toContain("DELETE");
});

test("a call is repeated in a new session if the server has forgotten the session", async () => {
  let calls = 0;
  const { url, requests } = await startHttp(({ id }, _, response) => {
    calls += 1;
    if (calls === 1) return void response.writeHead(404).end("no such session");
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(result(id, { content: [{ type: "text", text: "ok" }] }));
  });
  const { call } = await openServer({ transport: "http", url });
  expect(await call("act")).toBe("ok");
  expect(requests.filter(({ rpc }) => rpc === "initialize")).toHaveLength(2);
});

test("a call that the server does not authorize says that the headers need to be fixed", async () => {
  const { url } = await startHttp((_, __, response) => void response.writeHead(403).end("no"));
  const { call } = await openServer({ transport: "http", url });
  await expect(call("act")).rejects.toThrow("The MCP server odd refused access");
});

test("a call whose connection breaks is not repeated, and fails with the reason", async () => {
  let calls = 0;
  const { url } = await startHttp((_, request) => {
    calls += 1;
    request.socket.destroy();
  });
  const { call } = await openServer({ transport: "http", url });
  await expect(call("act")).rejects.toThrow("It is unknown whether act took effect");
  expect(calls).toBe(1);
});

test("a call whose event stream ends without an answer is aborted after its timeout", async () => {
  const { url } = await startHttp((_, __, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).end(": nothing\n\n");
  });
  const { call } = await openServer({ transport: "http", url, request_timeout: 0.5 });
  await expect(call("act")).rejects.toThrow("did not answer act within 0.5 s");
});

test("a server that cannot be reached is an error that names its address", async () => {
  const url = `http://127.0.0.1:${await freePort()}/mcp`;
  const error: unknown = await openServer({ transport: "http", url: `${url}?key=secret` }).catch((reason) => reason);
  expect(String(error)).toMatch(
    /ECONNREFUSED.*Check that http:\/\/127.*\/mcp is running and has the transport http\.$/,
  );
});

test("a server that refuses authorization at the start is an error that names the headers", async () => {
  const server = createServer((_, response) => void response.writeHead(401).end("who are you?")).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  for (const transport of ["http", "sse"]) {
    await expect(openServer({ transport, url })).rejects.toThrow("Check the credentials in its headers.");
  }
});
