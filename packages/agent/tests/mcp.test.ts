import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createPolicy, readStartTime } from "@bridle/core";
import { ConfigError } from "@bridle/protocol";
import { expect, test, vi } from "vitest";
import { callContext, eventually, oddServer, openServer, sentTo, temporaryFolder } from "./mcp-test-context.ts";
import { manyTools } from "./servers/many-tools.ts";

test("a server's tools keep their names, descriptions, schemas and annotations", async () => {
  const { find } = await openServer(oddServer());
  expect(find("echo")).toMatchObject({ name: "echo", description: "Does echo." });
  const none = { readOnly: false, destructive: false, idempotent: false, openWorld: false };
  expect(find("echo").annotations).toEqual({ ...none, readOnly: true, idempotent: true });
  expect(find("erase").annotations).toEqual({ ...none, destructive: true, openWorld: true });
});

test("a hint that a server does not give has the protocol's default: destructive and open-world", async () => {
  const { find } = await openServer(oddServer());
  const unknown = { readOnly: false, destructive: true, idempotent: false, openWorld: true };
  expect(find("pid").annotations).toEqual(unknown);
  expect(find("die_safely").annotations).toEqual({ ...unknown, readOnly: true, destructive: false });
  const policy = createPolicy({ mode: "auto" });
  const decide = async (name: string) => {
    const { annotations = {} } = find(name);
    return (
      await policy.evaluate({ tool: name, input: {}, annotations, builtin: false, callId: "call", runId: "run" }, [])
    ).decision;
  };
  expect([await decide("pid"), await decide("erase"), await decide("echo")]).toEqual(["ask", "ask", "allow"]);
});

test("two hundred tools on several pages keep their nested schemas unchanged", async () => {
  const { tools, find } = await openServer(oddServer(["--tools", "many"]));
  expect(tools.map(({ name, input }) => ({ name, input: "jsonSchema" in input && input.jsonSchema }))).toEqual(
    manyTools.map((tool) => ({ name: Reflect.get(tool, "name"), input: Reflect.get(tool, "inputSchema") })),
  );
  const { input } = find("tool_7");
  if (!("problems" in input)) throw new Error("the input is not described");
  expect(input.problems({ who: { id: 7 }, price: { cents: 1, currency: "EUR" }, tree: [[1, null]] })).toEqual([]);
  expect(input.problems({ who: 1, price: { cents: "x" }, more: true })).toEqual(
    expect.arrayContaining([
      "price.cents: must be integer",
      "who: must be string",
      "(input): must NOT have additional properties",
    ]),
  );
});

test("nothing is printed about the schemas of a server", async () => {
  const printed = (["log", "warn", "error"] as const).map((level) => vi.spyOn(console, level));
  const { tools, find } = await openServer(oddServer(["--tools", "formats"]));
  expect(tools.map(({ name }) => name)).toEqual(["count_0", "count_1"]);
  const { input } = find("count_1");
  if (!("problems" in input)) throw new Error("the input is not described");
  expect(input.problems({ count: "many" })).toEqual(["count: must be integer"]);
  await find("count_0").execute({ count: 1 }, callContext());
  expect(printed.flatMap(({ mock }) => mock.calls)).toEqual([]);
});

test("an invalid input of an MCP tool is explained in sentences, each with its path", async () => {
  const { find } = await openServer(oddServer());
  const { input } = find("echo");
  if (!("problems" in input)) throw new Error("the input is not described");
  expect(input.problems({ kind: "c", lines: [{ n: 1 }, {}] })).toEqual([
    "(input): must have required property 'text'",
    "kind: must be equal to one of the allowed values",
    "lines.1: must have required property 'n'",
  ]);
  expect(input.problems({ text: "a", kind: "b", lines: [] })).toEqual([]);
});

test("only the named variables, and those that a process needs to start, are passed to a server", async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, "vars"), 'FROM_FILE="a b"\nBOTH=file\n');
  const environment = {
    PATH: process.env.PATH,
    HOME: folder,
    XDG_STATE_HOME: join(folder, "state"),
    ANTHROPIC_API_KEY: "sk-ant-planted",
    GITHUB_TOKEN: "planted",
    NODE_OPTIONS: "--no-warnings",
  };
  const config = oddServer([], { env: { TOKEN: "t", BOTH: "env" }, env_file: "vars", config: { depth: 2 } });
  const { call } = await openServer(config, { environment, baseDir: folder });
  const { BRIDLE_FAMILY: mark, ...variables } = JSON.parse(await call("environment"));
  expect(process.platform === "linux" ? mark : "").toMatch(process.platform === "linux" ? /^[0-9a-f-]{36}$/ : "");
  expect(variables).toEqual({
    PATH: process.env.PATH,
    HOME: folder,
    PYTHONPYCACHEPREFIX: join(folder, "state", "bridle", "compiled-python"),
    TOKEN: "t",
    BOTH: "env",
    FROM_FILE: "a b",
    MCP_CONFIG: '{"depth":2}',
  });
});

test("the model gets images, and a description of other content that is not text, and the event log stores the content", async () => {
  const { find } = await openServer(oddServer());
  const output = await find("mixed").execute({}, callContext());
  expect(output).toMatchObject({
    images: [{ mediaType: "image/png", data: "aGVsbG8=" }],
    structured: {
      content: expect.arrayContaining([expect.objectContaining({ mimeType: "audio/wav", data: "aGVsbG8=" })]),
    },
  });
  expect(typeof output === "string" ? output : output.markdown).toBe(
    [
      "Here it is.",
      "[A sound (audio/wav, 5 bytes), which is in the event log and cannot be shown here.]",
      "memo://1:\na memo",
      "[The resource memo://2 (application/zip, 5 bytes), which is in the event log and cannot be shown here.]",
      "[third](https://example.com/3): elsewhere",
    ].join("\n\n"),
  );
});

test("structured content is stored in the event log, and the model gets it as JSON if there is no text", async () => {
  const { find } = await openServer(oddServer());
  expect(await find("structured").execute({}, callContext())).toEqual({
    markdown: '{"state":"shipped","lines":[1,2]}',
    structured: { state: "shipped", lines: [1, 2] },
  });
});

test("an error result of a server fails the call with the server's message", async () => {
  const { call } = await openServer(oddServer());
  await expect(call("fail")).rejects.toThrow("there is no such order");
  await expect(call("throw")).rejects.toThrow("the database is away");
});

test("progress of a call is reported and extends its timeout", async () => {
  const { call } = await openServer(oddServer([], { request_timeout: 3 }));
  const told: string[] = [];
  expect(await call("steps", { ms: 1200 }, { progress: (message) => void told.push(message) })).toBe("done");
  expect(told).toEqual(["1 of 3", "2 of 3", "3 of 3"]);
});

test("requests from a server are answered as not supported", async () => {
  const { call } = await openServer(oddServer());
  const replies = JSON.parse(await call("ask_back"));
  expect(replies.map((reply: { error?: { code: number } }) => reply.error?.code)).toEqual([-32601, -32601, -32601]);
});

test("standard error and log messages of a server are logged, and other output does no harm", async () => {
  const { call, log } = await openServer(oddServer(["--noisy"]));
  await call("log");
  await expect
    .poll(() => log)
    .toContainEqual({ level: "info", message: "started in 12 ms", fields: { server: "odd" } });
  await expect
    .poll(() => log)
    .toContainEqual({ level: "warn", message: "nearly full", fields: { server: "odd", level: "warning" } });
});

test("a server that dies during a call fails the call with the reason, and the next call restarts it", async () => {
  const { call, log } = await openServer(oddServer());
  const first = await call("pid");
  await expect(call("die")).rejects.toThrow(
    "The MCP server odd ended before it answered (exit code 3: the disk is full). It is unknown whether die took effect: check before you call it again. The next call starts the server again.",
  );
  expect(await call("pid")).not.toBe(first);
  expect(log.map(({ message }) => message)).toContain("an MCP server has ended; the next call starts it again");
});

test("a read-only call is repeated once if its server dies", async () => {
  const mark = join(await temporaryFolder(), "mark");
  const { call } = await openServer(oddServer());
  expect(await call("die_safely", { unless: mark })).toBe("lived");
  await expect(call("die_safely")).rejects.toThrow("ended before it answered");
});

test("a call without an answer is aborted and cancelled, and the server stays usable", async () => {
  const log = join(await temporaryFolder(), "log");
  const { call } = await openServer(oddServer(["--log", log], { request_timeout: 2 }));
  const pid = await call("pid");
  await expect(call("hang")).rejects.toThrow(
    "The MCP server odd did not answer hang within 2 s (request_timeout), so the call was cancelled. Ask for less at once, or continue without it.",
  );
  expect(await call("pid")).toBe(pid);
  expect(await sentTo(log, "notifications/cancelled")).toHaveLength(1);
});

test("a server that no longer answers is ended, and the next call starts a new one", async () => {
  const { call } = await openServer(oddServer([], { request_timeout: 2 }));
  const pid = await call("pid");
  await expect(call("freeze")).rejects.toThrow("did not answer freeze");
  expect(await call("pid")).not.toBe(pid);
  expect(readStartTime(Number(pid))).toBeUndefined();
});

test("a run that stops cancels its call", async () => {
  const log = join(await temporaryFolder(), "log");
  const { call } = await openServer(oddServer(["--log", log]));
  const stop = new AbortController();
  const waiting = call("hang", {}, { signal: stop.signal });
  await eventually(() => sentTo(log, "tools/call")).toHaveLength(1);
  stop.abort(new Error("the run was stopped"));
  await expect(waiting).rejects.toThrow("the run was stopped");
  await eventually(() => sentTo(log, "notifications/cancelled")).toHaveLength(1);
});

test("a changed list of tools is reported, and the tools stay those that were opened", async () => {
  const { tools, call, log } = await openServer(oddServer());
  const before = tools.map(({ name }) => name);
  await call("grow");
  await expect
    .poll(() => log)
    .toContainEqual({
      level: "warn",
      message: "an MCP server has changed its tools; the agent keeps those that it was opened with",
      fields: { server: "odd", added: ["grown"], removed: [], changed: [] },
    });
  expect(tools.map(({ name }) => name)).toEqual(before);
});

test("tools that differ after a restart of the server are reported", async () => {
  const { call, log } = await openServer(oddServer());
  await call("grow");
  await eventually(() => log.some(({ fields }) => "added" in fields)).toBe(true);
  await expect(call("die")).rejects.toThrow("ended before it answered");
  await call("pid");
  await eventually(() => log.at(-1)?.fields).toMatchObject({ removed: ["grown"] });
});

test("only the selected tools are opened, with a prefix if one is configured", async () => {
  const { tools, call } = await openServer(oddServer([], { tools: ["pid", "echo"], tool_prefix: "odd_" }));
  expect(tools.map(({ name }) => name)).toEqual(["odd_pid", "odd_echo"]);
  expect(await call("odd_echo", { text: "hi" })).toBe('{"text":"hi"}');
});

test("the model gets the description of a server with the names of its tools", async () => {
  const { instructions } = await openServer(oddServer([], { tools: ["pid", "echo"], description: "For oddities." }));
  expect(instructions).toBe("The tools of odd (pid, echo): For oddities.");
  expect((await openServer(oddServer([]))).instructions).toBeUndefined();
});

test("a tool with an invalid schema, or that only runs as a task, is skipped and logged; if it was selected, it is an error", async () => {
  const { tools, log } = await openServer(oddServer(["--tools", "broken"]));
  expect(tools.map(({ name }) => name)).toEqual(["good"]);
  expect(log.filter(({ level }) => level === "warn")).toMatchObject([
    { message: expect.stringContaining("it only runs as a task"), fields: { tool: "later" } },
    { message: expect.stringContaining("its input cannot be checked"), fields: { tool: "bad" } },
  ]);
  const asked = openServer(oddServer(["--tools", "broken"], { tools: ["bad"] }));
  await expect(asked).rejects.toThrow("The MCP server odd: the tool bad cannot be used: its input cannot be checked");
});

test.for<[string, readonly string[], object, string]>([
  [
    "a tool that the server does not have",
    [],
    { tools: ["ecko"] },
    'The MCP server odd: it has no tool ecko. Did you mean "echo"?',
  ],
  [
    "two tools whose names meet",
    ["--tools", "meeting"],
    {},
    "The MCP server odd: the tools get.order and get_order both have the name get_order for models. List the tools that you need in tools.",
  ],
  [
    "a server that dies at once",
    ["--dies-at-start"],
    {},
    "The MCP server odd cannot be used: exit code 1: TOKEN is missing.",
  ],
  [
    "a server that never shakes hands",
    ["--never-shakes-hands"],
    { timeout: 1 },
    "it was not ready within 1 s (timeout)",
  ],
  ["a list of tools that never comes", ["--tools", "silent"], { timeout: 3 }, "within 3 s (timeout)"],
  ["a list of tools without end", ["--tools", "endless"], {}, "The MCP server odd cannot be used: "],
  [
    "a server that is no program",
    [],
    { command: "no-such-program" },
    "The MCP server odd cannot be used: spawn no-such-program ENOENT.",
  ],
  [
    "a file of variables that does not exist",
    [],
    { env_file: "none.env" },
    "The env_file of the MCP server odd does not exist",
  ],
])("%s is an error before anything runs", async ([, args, more, message]) => {
  const error = await openServer(oddServer(args, more)).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ConfigError);
  expect(String(error)).toContain(message);
});
