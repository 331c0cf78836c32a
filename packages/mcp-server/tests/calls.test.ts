import { createPolicy } from "@bridle/core";
import { defineTool, type RunEvent } from "@bridle/protocol";
import { expect, test } from "vitest";
import { z } from "zod";
import { connectClient } from "./client-for-tests.ts";
import { createToken, startTestServer } from "./server-for-tests.ts";
import { add, createWaitingTool, echo, remove } from "./tools-for-tests.ts";

const image = { mediaType: "image/png", data: "iVBORw0KGgo=" };

function eventsOf<K extends RunEvent["type"]>(events: readonly RunEvent[], type: K) {
  return events.filter((event): event is Extract<RunEvent, { type: K }> => event.type === type);
}

test("a client lists the tools with schemas and hints, and calls them", async () => {
  const { connect } = await startTestServer({ tools: [add, remove] });
  const { client } = await connect();
  expect(client.getServerVersion()).toMatchObject({ name: "test", version: "1.2.3" });
  const { tools } = await client.listTools();
  expect(tools.map(({ name, annotations }) => [name, annotations])).toEqual([
    ["add", { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }],
    ["remove_table", { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true }],
  ]);
  expect(tools[0]?.inputSchema).toMatchObject({ type: "object", required: ["a", "b"] });
  const result = await client.callTool({ name: "add", arguments: { a: 1, b: 2 } });
  expect(result).toEqual({ content: [{ type: "text", text: "The sum is 3." }] });
});

test("a client of the revision 2026-07-28 calls the same tools, without a session", async () => {
  const { url, token, listening, events } = await startTestServer({ tools: [add] });
  const { client, transport } = await connectClient(url, token, { versionNegotiation: { mode: "auto" } });
  expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
  expect((await client.listTools()).tools).toHaveLength(1);
  const messages: unknown[] = [];
  const result = await client.callTool(
    { name: "add", arguments: { a: 1, b: 2 } },
    { onprogress: (progress) => messages.push(progress) },
  );
  expect(result).toMatchObject({ content: [{ type: "text", text: "The sum is 3." }] });
  expect(transport.sessionId).toBeUndefined();
  await listening.close();
  expect(eventsOf(events, "run.started")[0]?.labels).toEqual({
    mcpClient: "test-client 7",
    mcpCaller: "reader",
    mcpTransport: "http",
  });
});

test("the calls of a client are one run in the event log, with the client and the name of the token", async () => {
  const { connect, events, listening, token } = await startTestServer({ tools: [add] });
  const { client } = await connect();
  await client.callTool({ name: "add", arguments: { a: 1, b: 2 } });
  await client.callTool({ name: "add", arguments: { a: "x" } });
  await listening.close();
  expect(events.map(({ type }) => type)).toEqual([
    "run.started",
    "model.input",
    "tool.requested",
    "tool.evaluated",
    "tool.started",
    "tool.finished",
    "tool.requested",
    "tool.evaluated",
    "tool.denied",
    "run.finished",
  ]);
  const [started] = eventsOf(events, "run.started");
  expect(started).toMatchObject({
    backend: "mcp-client",
    labels: { mcpClient: "test-client 7", mcpCaller: "reader", mcpTransport: "http" },
  });
  expect(eventsOf(events, "tool.finished")[0]).toMatchObject({ ok: true, structured: { sum: 3 } });
  expect(eventsOf(events, "run.finished")[0]?.result).toMatchObject({ stopReason: "natural", toolCalls: 2 });
  expect(JSON.stringify(events)).not.toContain(token);
});

test("a run ends after its most calls, and the next call begins another one", async () => {
  const { connect, events } = await startTestServer({ tools: [add], limits: { callsPerRun: 2 } });
  const { client } = await connect();
  for (let call = 0; call < 5; call++) await client.callTool({ name: "add", arguments: { a: call, b: 1 } });
  expect(eventsOf(events, "run.started")).toHaveLength(3);
  expect(eventsOf(events, "tool.finished")).toHaveLength(5);
});

test("a run ends after a time without a call, while its session continues", async () => {
  const { connect, events } = await startTestServer({ tools: [add], limits: { runIdleMs: 1 } });
  const { client } = await connect();
  await client.callTool({ name: "add", arguments: { a: 1, b: 1 } });
  await expect.poll(() => eventsOf(events, "run.finished"), { timeout: 60_000 }).toHaveLength(1);
  expect(await client.callTool({ name: "add", arguments: { a: 1, b: 2 } })).toMatchObject({
    content: [{ text: "The sum is 3." }],
  });
});

test("an input that does not fit is an error of the tool, with a sentence for each problem", async () => {
  const { connect } = await startTestServer({ tools: [add] });
  const { client } = await connect();
  const result = await client.callTool({ name: "add", arguments: { a: "x" } });
  expect(result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('expected number, received string; received "x"') }],
  });
});

test("a tool that throws, and one that is not there, are errors of the tool with the reason", async () => {
  const failing = defineTool({
    name: "fail",
    description: "Fails.",
    input: z.object({}),
    execute: async () => {
      throw new Error("The disk is full.");
    },
  });
  const { connect } = await startTestServer({ tools: [failing] });
  const { client } = await connect();
  expect(await client.callTool({ name: "fail" })).toMatchObject({
    isError: true,
    content: [{ text: "The disk is full." }],
  });
  // The protocol has an error for it: https://modelcontextprotocol.io/specification/2025-11-25/server/tools#error-handling
  await expect(client.callTool({ name: "faill" })).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining('There is no tool "faill". Did you mean "fail"? Available: fail.'),
  });
});

test("a rule that denies, and one that asks, deny a call over MCP with their reason", async () => {
  const policy = createPolicy({
    rules: [
      { tool: "add", then: "ask" },
      { tool: "echo", then: "deny" },
    ],
  });
  const { connect, events } = await startTestServer({ tools: [add, echo], policy });
  const { client } = await connect();
  for (const name of ["add", "echo"]) {
    const result = await client.callTool({ name, arguments: { a: 1, b: 2 } });
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("not allowed") }] });
  }
  expect(eventsOf(events, "tool.started")).toEqual([]);
  expect(eventsOf(events, "tool.denied")).toHaveLength(2);
});

test("images follow the text of a result", async () => {
  const draw = defineTool({
    name: "draw",
    description: "Draws.",
    input: z.object({}),
    execute: async () => ({ markdown: "A line.", images: [image] }),
  });
  const { connect } = await startTestServer({ tools: [draw] });
  const { client } = await connect();
  expect(await client.callTool({ name: "draw" })).toEqual({
    content: [
      { type: "text", text: "A line." },
      { type: "image", data: image.data, mimeType: image.mediaType },
    ],
  });
});

test("results contain structured data only if the server was asked for it", async () => {
  const { connect } = await startTestServer({ tools: [add], structured: true });
  const { client } = await connect();
  expect(await client.callTool({ name: "add", arguments: { a: 1, b: 2 } })).toEqual({
    content: [{ type: "text", text: "The sum is 3." }],
    structuredContent: { sum: 3 },
  });
});

test("messages about progress reach the client in order, and are in the event log", async () => {
  const steps = defineTool({
    name: "steps",
    description: "Reports.",
    input: z.object({}),
    async execute(_input, { progress }) {
      for (const step of ["one", "two", "three"]) progress(step);
      return "done";
    },
  });
  const { connect, events } = await startTestServer({ tools: [steps] });
  const { client } = await connect();
  const seen: unknown[] = [];
  await client.callTool({ name: "steps" }, { onprogress: ({ progress, message }) => seen.push([progress, message]) });
  expect(seen).toEqual([
    [1, "one"],
    [2, "two"],
    [3, "three"],
  ]);
  expect(eventsOf(events, "tool.progress").map(({ message }) => message)).toEqual(["one", "two", "three"]);
});

test("messages about progress are log messages for a client that set the level, and for no other", async () => {
  const steps = defineTool({
    name: "steps",
    description: "Reports.",
    input: z.object({}),
    annotations: { readOnly: true },
    async execute(_input, { progress }) {
      progress("one");
      return "done";
    },
  });
  const { connect } = await startTestServer({ tools: [steps] });
  for (const [level, expected] of [
    [undefined, []],
    ["warning", []],
    ["debug", [{ level: "info", logger: "steps", data: "one" }]],
  ] as const) {
    const { client } = await connect();
    const seen: unknown[] = [];
    client.setNotificationHandler("notifications/message", ({ params }) => void seen.push(params));
    if (level !== undefined) await client.setLoggingLevel(level);
    await client.callTool({ name: "steps" });
    expect(seen).toEqual(expected);
  }
});

test("a cursor and a level of the log that are not there are errors of the protocol", async () => {
  const { connect } = await startTestServer({ tools: [add] });
  const { client } = await connect();
  expect((await client.listTools()).nextCursor).toBeUndefined();
  await expect(client.listTools({ cursor: "next" })).rejects.toMatchObject({ code: -32_602 });
  await expect(client.setLoggingLevel("loud" as never)).rejects.toThrow();
  await client.ping();
});

test("a call that the client cancels gets an aborted signal, and is logged as failed", async () => {
  const { tool, started, aborted } = createWaitingTool();
  const { connect, events } = await startTestServer({ tools: [tool] });
  const { client } = await connect();
  const cancel = new AbortController();
  const call = client.callTool({ name: "wait" }, { signal: cancel.signal });
  await started;
  cancel.abort("changed my mind");
  await expect(call).rejects.toThrow();
  await aborted;
  await expect
    .poll(() => eventsOf(events, "tool.finished"), { timeout: 60_000 })
    .toMatchObject([{ ok: false, output: "The client cancelled the call." }]);
});

test("a server that closes aborts its open calls, and the end of the run is in the event log", async () => {
  const { tool, started, aborted } = createWaitingTool();
  const { connect, events, listening } = await startTestServer({ tools: [tool] });
  const { client } = await connect();
  const call = client.callTool({ name: "wait" }).catch(() => "gone");
  await started;
  await listening.close();
  await aborted;
  expect(eventsOf(events, "run.finished")).toHaveLength(1);
  await client.close();
  await call;
});

test("a connection with too many open calls refuses further ones, and serves again afterwards", async () => {
  const { tool, started, release } = createWaitingTool();
  const { connect } = await startTestServer({ tools: [tool, add], limits: { openCalls: 1 } });
  const { client } = await connect();
  const first = client.callTool({ name: "wait" });
  await started;
  const input = { name: "add", arguments: { a: 1, b: 2 } };
  expect(await client.callTool(input)).toMatchObject({ isError: true, content: [{ text: /open already/ }] });
  release("now");
  expect(await first).toMatchObject({ content: [{ text: "now" }] });
  expect(await client.callTool(input)).toEqual({ content: [{ type: "text", text: "The sum is 3." }] });
});

test("a long result is cut, and the client is told of the tool that reads the rest", async () => {
  const long = defineTool({
    name: "long",
    description: "Long.",
    input: z.object({}),
    annotations: { readOnly: true },
    maxResultChars: 100,
    execute: async () => `${"x".repeat(150)}the end`,
  });
  const { connect } = await startTestServer({ tools: [long] });
  const { client } = await connect();
  const changed = Promise.withResolvers<void>();
  client.setNotificationHandler("notifications/tools/list_changed", () => changed.resolve());
  const cut = await client.callTool({ name: "long" });
  expect(JSON.stringify(cut)).toContain("characters are left out here");
  await changed.promise;
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["long", "read_result"]);
  const rest = await client.callTool({ name: "read_result", arguments: { offset: 100 } });
  expect(JSON.stringify(rest)).toContain("the end");
});

test("two callers get their own tools, and their calls have their own runs", async () => {
  const [anna, ben] = [createToken("anna", { scope: { tables: ["a"] } }), createToken("ben")];
  const { url, events } = await startTestServer({
    tools: [],
    tokens: [anna, ben],
    openTools: async ({ name, scope }) => ({
      tools: [{ ...echo, execute: async () => `${name} sees ${JSON.stringify(scope ?? "all")}` }],
      instructions: `For ${name}.`,
    }),
  });
  for (const [token, text] of [
    [anna, 'anna sees {"tables":["a"]}'],
    [ben, 'ben sees "all"'],
  ] as const) {
    const { client } = await connectClient(url, token.token);
    expect(client.getInstructions()).toBe(`For ${token.name}.`);
    expect(await client.callTool({ name: "echo" })).toMatchObject({ content: [{ text }] });
  }
  expect(eventsOf(events, "run.started").map(({ labels }) => labels?.mcpCaller)).toEqual(["anna", "ben"]);
});
