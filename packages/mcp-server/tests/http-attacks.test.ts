import { request } from "node:http";
import { connect as connectSocket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { connectClient } from "./client-for-tests.ts";
import { createToken, initialize, post, startTestServer } from "./server-for-tests.ts";
import { add, echo } from "./tools-for-tests.ts";

const call = (name: string, input: unknown) => ({ name, arguments: input as Record<string, unknown> });

/** Sends a request with headers that `fetch` does not allow. */
function rawPost(url: string, headers: Record<string, string>, path = "/mcp"): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { method: "POST", path, headers: { "content-type": "application/json", ...headers } };
    const sent = request(url, options);
    sent.on("response", (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    sent.on("error", reject);
    sent.end(initialize);
  });
}

test.each([
  ["no header", {}],
  ["a wrong token", { authorization: `Bearer ${"x".repeat(48)}` }],
  ["an empty token", { authorization: "Bearer " }],
  ["a token without its scheme", { authorization: "secret" }],
  ["basic authentication", { authorization: `Basic ${btoa("reader:secret")}` }],
  ["a token in the wrong header", { "x-api-key": "secret" }],
])("a request with %s is refused, and its body is not read", async (_title, headers: Record<string, string>) => {
  const { url } = await startTestServer({ tools: [add] });
  const answer = await post(url, undefined, initialize, headers);
  expect(answer.status).toBe(401);
  expect(answer.headers.get("www-authenticate")).toContain("Bearer");
  expect(await answer.text()).toContain("no valid token");
});

test("a token in the address is refused", async () => {
  const { url, token } = await startTestServer({ tools: [add] });
  expect((await post(`${url}?token=${token}&access_token=${token}`, undefined, initialize)).status).toBe(401);
});

test.each([
  ["another Host", { host: "evil.example" }],
  ["a Host that only begins like this machine", { host: "localhost.evil.example" }],
  ["a Host with a login", { host: "localhost@evil.example" }],
  ["another Origin", { origin: "https://evil.example" }],
  ["the Origin null", { origin: "null" }],
])("a request with %s is refused even with the right token", async (_title, headers) => {
  const { url, token } = await startTestServer({ tools: [add] });
  expect(await rawPost(url, { authorization: `Bearer ${token}`, ...headers })).toBe(403);
});

test("names that the owner allowed are accepted in Host and Origin", async () => {
  const names = { allowedHosts: ["tools.example"], allowedOrigins: ["app.example"] };
  const { url, token } = await startTestServer({ tools: [add], ...names });
  const headers = { authorization: `Bearer ${token}`, accept: "application/json, text/event-stream" };
  expect(await rawPost(url, { ...headers, host: "tools.example", origin: "https://app.example" })).toBe(200);
  expect(await rawPost(url, { ...headers, host: "app.example" })).toBe(403);
});

test("a server that other machines reach needs a name for them", async () => {
  await expect(startTestServer({ tools: [add], host: "0.0.0.0" })).rejects.toThrow("--allow-host");
});

test.each([
  ["with its length", (text: string) => text],
  ["in chunks", (text: string) => new Blob([text]).stream()],
])("a message that is too long is refused %s", async (_title, bodyOf) => {
  const { url, token } = await startTestServer({ tools: [add], limits: { messageBytes: 1000 } });
  const body = bodyOf(initialize.replace('"raw"', JSON.stringify("x".repeat(2000))));
  const answer = await post(url, token, body);
  expect(answer.status).toBe(413);
});

test("a request whose body does not arrive in time is ended", async () => {
  const { url, token } = await startTestServer({ tools: [add], limits: { requestMs: 200 } });
  const { hostname, port } = new URL(url);
  const socket = connectSocket(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  const headers = [`Host: ${hostname}`, `Authorization: Bearer ${token}`, "Content-Type: application/json"];
  socket.write(`POST /mcp HTTP/1.1\r\n${headers.join("\r\n")}\r\nContent-Length: 1000\r\n\r\n{"jsonrpc"`);
  await new Promise((resolve) => socket.once("close", resolve).resume());
});

test("sessions beyond the limit are refused, and one that is closed makes room", async () => {
  const { url, token } = await startTestServer({ tools: [add], limits: { sessions: 2 } });
  const first = await connectClient(url, token);
  await connectClient(url, token);
  const refused = await post(url, token, initialize);
  expect(refused.status).toBe(503);
  expect(await refused.text()).toContain("2 sessions are open already");
  await first.transport.terminateSession();
  expect((await post(url, token, initialize)).status).toBe(200);
});

test("a message that begins a session wrongly leaves none open", async () => {
  const { url, token } = await startTestServer({ tools: [add], limits: { sessions: 1 } });
  for (let attempt = 0; attempt < 3; attempt++) {
    expect((await post(url, token, `[${initialize},${initialize}]`)).status).toBe(400);
    expect((await post(url, token, initialize, { accept: "text/plain" })).status).toBe(406);
  }
  expect((await post(url, token, initialize)).status).toBe(200);
});

test("a session without requests is closed, and its id is not known any more", async () => {
  const { url, token } = await startTestServer({ tools: [add], limits: { sessionIdleMs: 1 } });
  const answer = await post(url, token, initialize);
  const id = answer.headers.get("mcp-session-id") ?? "";
  await answer.text();
  const ask = () => post(url, token, '{"jsonrpc":"2.0","id":2,"method":"ping"}', { "mcp-session-id": id });
  await expect.poll(async () => (await ask()).status, { timeout: 60_000 }).toBe(404);
});

test("the session of one token is not there for another one", async () => {
  const [anna, ben] = [createToken("anna"), createToken("ben")];
  const { url } = await startTestServer({ tools: [add], tokens: [anna, ben] });
  const { transport } = await connectClient(url, anna.token);
  const session = { "mcp-session-id": transport.sessionId ?? "" };
  for (const method of ["POST", "DELETE", "GET"]) {
    const headers = { ...session, authorization: `Bearer ${ben.token}`, accept: "application/json, text/event-stream" };
    const body = method === "POST" ? '{"jsonrpc":"2.0","id":2,"method":"tools/list"}' : null;
    const answer = await fetch(url, { method, headers: { ...headers, "content-type": "application/json" }, body });
    expect(answer.status, method).toBe(404);
  }
});

test.each([
  ["no JSON", "{"],
  ["nothing", ""],
  ["a number", "7"],
  ["null", "null"],
  ["a list of numbers", "[1,2]"],
  ["the wrong version", '{"jsonrpc":"1.0","id":1,"method":"initialize"}'],
  ["an object as id", '{"jsonrpc":"2.0","id":{},"method":"tools/list"}'],
  ["params that are a text", '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":"x"}'],
  [
    "100,000 levels of lists",
    `{"jsonrpc":"2.0","id":1,"method":"initialize","params":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
  ],
  ["the key __proto__", '{"__proto__":{"jsonrpc":"2.0"},"id":1,"method":"initialize"}'],
  ["a byte order mark and zeros", "\ufeff\0\0\0"],
])("a body with %s is refused, and the server answers the next request", async (_title, body) => {
  const { url, token, connect } = await startTestServer({ tools: [add] });
  const answer = await post(url, token, body);
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.status).toBeLessThan(500);
  const { client } = await connect();
  expect((await client.listTools()).tools).toHaveLength(1);
});

test("an input with prototype keys pollutes nothing, and reaches the tool as plain data", async () => {
  const { url, token, connect } = await startTestServer({ tools: [echo] });
  const { client, transport } = await connect();
  const input = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":1}';
  const body = `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"echo","arguments":${input}}}`;
  const answer = await post(url, token, body, { "mcp-session-id": transport.sessionId ?? "" });
  expect(answer.status).toBe(200);
  expect(Reflect.get({}, "polluted")).toBeUndefined();
  expect(await client.callTool(call("echo", { safe: 1 }))).toMatchObject({ content: [{ text: '{"safe":1}' }] });
});

test.each([
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "",
  "add\0",
  "add\n",
  "../add",
  "ADD",
  "ａｄｄ",
  "x".repeat(5000),
])("there is no tool of the name %j", async (name) => {
  const { connect } = await startTestServer({ tools: [add] });
  const { client } = await connect();
  await expect(client.callTool(call(name, { a: 1, b: 2 }))).rejects.toMatchObject({ code: -32602 });
});

test("an input of 300 levels is refused with the limit", async () => {
  const { connect } = await startTestServer({ tools: [echo] });
  const { client } = await connect();
  let deep: unknown = 1;
  for (let level = 0; level < 300; level++) deep = [deep];
  const result = await client.callTool(call("echo", { deep }));
  expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("256 levels") }] });
});

test.each(["/", "/mcp/../secret", "/mcp/", "/mcp/x", "//mcp", "http://[", "/.well-known/oauth-protected-resource"])(
  "there is nothing at the path %s",
  async (path) => {
    const { url, token } = await startTestServer({ tools: [add] });
    expect(await rawPost(url, { authorization: `Bearer ${token}` }, path)).toBe(404);
  },
);
