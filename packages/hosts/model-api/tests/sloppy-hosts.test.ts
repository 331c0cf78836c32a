/** Servers that keep the protocol badly, as local ones and proxies do. */
import { inspect } from "node:util";
import { createAgentRuntime } from "@bridle/core";
import { defineTool, type RunEvent } from "@bridle/protocol";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { createModelApiBackend } from "../src/backend.ts";
import type { ModelApiOptions } from "../src/settings/options.ts";
import { chunk, done, events, type RawHost, startRawHost, stream } from "./raw-host.ts";
import { ofType } from "./runs.ts";

type Answer = Parameters<typeof startRawHost>[0];

const key = "key-of-the-sloppy-host";
const look = defineTool({
  name: "look",
  description: "Looks.",
  input: z.object({ at: z.string().optional() }),
  annotations: { readOnly: true },
  execute: async ({ at }) => `${at ?? "it"} is fine`,
});

/** One run with a tool against a host, and all that was told of it. */
async function runAgainst(answer: Answer, options: object = {}, model = "llama") {
  const host = await startRawHost(answer);
  const pauses: number[] = [];
  const given = { id: "openai-compatible", apiKey: key, baseUrl: `${host.url}/v1`, ...options } as ModelApiOptions;
  const wait = async (ms: number) => void pauses.push(ms);
  const backend = createModelApiBackend(given, { wait, random: () => 1 });
  const told: RunEvent[] = [];
  const models = { default: model };
  const runtime = createAgentRuntime({ backend, models, onEvent: (event) => void told.push(event) });
  onTestFinished(async () => {
    await runtime.close();
    await backend.close();
  });
  const result = await runtime.runAgentLoop({ prompt: "A private prompt.", tools: [look], stepBudget: 5 }).result;
  return { host, pauses, told, result };
}

const called = (more: object, text: unknown = '{"at":"A-1"}') => ({
  type: "function",
  ...more,
  function: { name: "look", arguments: text },
});
const calling = (...calls: object[]) => events(chunk({ tool_calls: calls }), chunk({}, "tool_calls"), done);
const fine = events(chunk({ content: "fine" }), chunk({}, "stop"), done);
/** Calls first, then an end. */
const once =
  (body: string): Answer =>
  (response, index) =>
    stream(response, index === 0 ? body : fine);

/** Ids of the calls and of the results that a request holds. */
function idsSent({ requests }: RawHost): { calls: string[]; results: string[] } {
  const sent = z.object({
    messages: z.array(
      z.object({ tool_calls: z.array(z.object({ id: z.string() })).optional(), tool_call_id: z.string().optional() }),
    ),
  });
  const { messages } = sent.parse(JSON.parse(requests.at(-1)?.body ?? ""));
  return {
    calls: messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id)),
    results: messages.flatMap(({ tool_call_id }) => tool_call_id ?? []),
  };
}

test("more silence than a timer can count is allowed all the same", async () => {
  const { result } = await runAgainst((response) => stream(response, fine), { idleTimeoutMs: 2 ** 31 });
  expect(result.text).toBe("fine");
});

describe("a call is told from every other, in the record and in the history", () => {
  test.each<[string, object[]]>([
    ["empty ids", [called({ index: 0, id: "" }), called({ index: 1, id: "" })]],
    ["one id for two", [called({ index: 0, id: "a" }), called({ index: 1, id: "a" })]],
    ["neither ids nor numbers", [called({}), called({})]],
  ])("by a host that gives %s", async (_, calls) => {
    const { host, result, told } = await runAgainst(once(calling(...calls)));
    expect(result).toMatchObject({ stopReason: "natural", toolCalls: 2, toolFailures: 0 });
    const sent = idsSent(host);
    expect(new Set(sent.calls).size).toBe(2);
    expect(sent.results).toEqual(sent.calls);
    expect(ofType(told, "tool.requested").map(({ callId }) => callId)).toEqual(sent.calls);
  });

  test("by a host that begins its ids anew with every answer", async () => {
    const again = calling(called({ index: 0, id: "call_0" }));
    const { host, told, result } = await runAgainst((response, index) => stream(response, index < 3 ? again : fine));
    expect(result).toMatchObject({ stopReason: "natural", toolCalls: 3, toolFailures: 0 });
    const sent = idsSent(host);
    expect(new Set(sent.calls).size).toBe(3);
    expect(sent.results).toEqual(sent.calls);
    expect(ofType(told, "tool.requested").map(({ callId }) => callId)).toEqual(sent.calls);
    for (const id of sent.calls) expect(id).toMatch(/^[\w-]+$/);
  });
});

test("two hundred calls of one answer are all made, and answered in their order", async () => {
  const calls = Array.from({ length: 200 }, (_, index) => called({ index, id: `c${index}` }));
  const { host, result } = await runAgainst(once(calling(...calls)));
  expect(result).toMatchObject({ stopReason: "natural", steps: 2, toolCalls: 200, toolFailures: 0 });
  expect(idsSent(host).results).toEqual(calls.map((_, index) => `c${index}`));
});

test.each([["null"], [""], [" "], [null]])("arguments that are %j are none", async (text) => {
  const { host, result } = await runAgainst(once(calling(called({ index: 0, id: "a" }, text))));
  expect(result).toMatchObject({ stopReason: "natural", toolCalls: 1, toolFailures: 0 });
  expect(host.requests).toHaveLength(2);
});

test("arguments of five megabytes reach the tool", async () => {
  const text = JSON.stringify({ at: "x".repeat(5_000_000) });
  const { result, told } = await runAgainst(once(calling(called({ index: 0, id: "a" }, text))));
  expect(result).toMatchObject({ stopReason: "natural", toolFailures: 0 });
  expect(ofType(told, "tool.finished")[0]?.ok).toBe(true);
});

test("many calls that do not fit are mended one after another, so that a run keeps to one request at a time", async () => {
  const calls = Array.from({ length: 20 }, (_, index) => called({ index, id: `c${index}` }, '{"at":7}'));
  let open = 0;
  let most = 0;
  const { host, result } = await runAgainst((response, index) => {
    most = Math.max(most, ++open);
    setTimeout(() => {
      open -= 1;
      stream(response, index === 0 ? calling(...calls) : index <= 20 ? calling(called({ index: 0, id: "m" })) : fine);
    }, 5);
  });
  expect(result).toMatchObject({ stopReason: "natural", toolCalls: 20, toolFailures: 0 });
  expect(host.requests).toHaveLength(22);
  expect(most).toBe(1);
});

test("a tool named in another case is not called, and the model hears the right name", async () => {
  const call = { ...called({ index: 0, id: "a" }), function: { name: "Look", arguments: "{}" } };
  const { told, result } = await runAgainst(once(calling(call)));
  expect(ofType(told, "tool.denied")[0]?.output).toContain('"look"');
  expect(result).toMatchObject({ stopReason: "natural", toolFailures: 1 });
});

describe("the end of an answer", () => {
  test("that is said to be a call, with none in it, is told as that", async () => {
    const { result } = await runAgainst((response) => stream(response, calling()));
    expect(result.error).toMatchObject({ code: "backend_crash" });
    expect(result.error?.message).toContain("no call");
  });

  test.each([
    ["that lacks its reason", events(chunk({ content: "" }), done)],
    ["of which nothing came", ""],
    ["of which only the last line came", done],
    ["of which only comments came", events(": ping\n\n", ": ping\n\n")],
  ])("%s is a broken off answer, and asked for again", async (_, body) => {
    const { result, host } = await runAgainst((response, index) => stream(response, index === 0 ? body : fine));
    expect(result).toMatchObject({ stopReason: "natural", text: "fine" });
    expect(host.requests).toHaveLength(2);
  });

  test("that lacks its reason after a part was shown is a broken off answer, and asked for again like any other", async () => {
    const { result, host } = await runAgainst((response) => stream(response, events(chunk({ content: "so" }), done)));
    expect(result.error).toMatchObject({ code: "network", message: expect.stringContaining("broke off") });
    expect(host.requests).toHaveLength(4);
  });
});

describe("an error with status 200", () => {
  test.each<[string, string, number]>([
    ["as an object", events({ error: { message: "out of memory", type: "server_error" } }, done), 4],
    ["as a text", events({ error: "out of memory" }, done), 1],
    ["as an event of its own", 'event: error\ndata: {"message":"out of memory"}\n\n', 1],
  ])("%s in the stream is that error", async (_, body, requests) => {
    const { result, host } = await runAgainst((response) => stream(response, body));
    expect(result.error?.message).toContain("out of memory");
    expect(result.error?.code).not.toBe("config");
    expect(host.requests).toHaveLength(requests);
  });

  test("in place of a stream is that error", async () => {
    const body = JSON.stringify({ error: { message: "out of memory", code: "server_error" } });
    const { result, host } = await runAgainst((response, index) =>
      index === 0 ? response.writeHead(200, { "content-type": "application/json" }).end(body) : stream(response, fine),
    );
    expect(result).toMatchObject({ stopReason: "natural", text: "fine" });
    expect(host.requests).toHaveLength(2);
  });
});

test.each([
  ["application/json", '{"choices":[{"message":{"content":"hi"},"finish_reason":"stop"}]}'],
  ["text/plain", "Ollama is running"],
])("an answer of type %s in place of a stream is told as that, and not asked for again", async (type, body) => {
  const { result, host } = await runAgainst((response) => response.writeHead(200, { "content-type": type }).end(body));
  expect(result.error).toMatchObject({ code: "config", message: expect.stringContaining(`${type} in place of a`) });
  expect(host.requests).toHaveLength(1);
});

test("a chunk that breaks the protocol behind others is no wrong base URL", async () => {
  const body = events(chunk({ role: "assistant" }), { choices: [{ index: 0, delta: { content: 7 } }] });
  const { result } = await runAgainst((response) => stream(response, body));
  expect(result.error).toMatchObject({ code: "backend_crash", message: expect.stringContaining("in the middle") });
});

describe("tokens", () => {
  const counted = (usage: object): Answer => {
    const parts = [chunk({ content: "a" }, null, { usage }), chunk({}, "stop", { usage })];
    return (response) => stream(response, events(...parts, done));
  };

  test("that are repeated in each chunk are counted once", async () => {
    const { result } = await runAgainst(counted({ prompt_tokens: 10, completion_tokens: 2 }));
    expect(result.usage).toEqual({ inputTokens: 10, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0 });
  });

  test("that are left out are none", async () => {
    const { result } = await runAgainst((response) => stream(response, fine));
    expect(result.usage).toMatchObject({ inputTokens: 0, outputTokens: 0 });
  });

  test("that the gateway leaves out are none", async () => {
    const text = [{ type: "text-start" }, { type: "text-delta", delta: "fine" }, { type: "text-end" }];
    const finish = { type: "finish", finishReason: { unified: "stop", raw: "stop" } };
    const body = events(...text.map((part) => ({ id: "0", ...part })), finish);
    const { result } = await runAgainst((response) => stream(response, body), { id: "gateway" }, "some/model");
    expect(result).toMatchObject({ stopReason: "natural", text: "fine", usage: { inputTokens: 0, outputTokens: 0 } });
  });

  test.each([
    ["more of a cache than in all", { prompt_tokens: 10, prompt_tokens_details: { cached_tokens: 50 } }],
    ["less than none", { prompt_tokens: -5, completion_tokens: -1, prompt_tokens_details: { cached_tokens: -1 } }],
  ])("are never less than none, for a host that counts %s", async (_, usage) => {
    const prices = { llama: { input: 1, output: 1, cacheRead: 1 } };
    const { result } = await runAgainst(counted(usage), { prices });
    for (const tokens of Object.values(result.usage)) expect(tokens).toBeGreaterThanOrEqual(0);
    expect(result.cost?.usd).toBeGreaterThanOrEqual(0);
  });
});

test("bytes that are no text and lines that Unicode ends are shown as they can be", async () => {
  const broken = Buffer.concat([
    Buffer.from('data: {"choices":[{"index":0,"delta":{"content":"a'),
    Buffer.from([0xff]),
    Buffer.from('b\u2028c"}}]}\n\n'),
    Buffer.from(fine.replaceAll("\n", "\r\n")),
  ]);
  const { result } = await runAgainst((response) => stream(response, broken));
  expect(result).toMatchObject({ stopReason: "natural", text: "a\ufffdb\u2028cfine" });
});

test.each([408, 425])("a request that a host was not ready for (%i) is asked again", async (status) => {
  const { result, host } = await runAgainst((response, index) =>
    index === 0 ? response.writeHead(status).end() : stream(response, fine),
  );
  expect(result.text).toBe("fine");
  expect(host.requests).toHaveLength(2);
});

test("a proxy that wants credentials, which Node takes for a lost connection, is named as a cause of it", async () => {
  const { result } = await runAgainst((response) => response.writeHead(407).end());
  expect(result.error).toMatchObject({ code: "network", message: expect.stringMatching(/proxy.*407/) });
});

test("a window that opens at no possible time is used up all the same", async () => {
  const headers = { "anthropic-ratelimit-unified-status": "rejected", "anthropic-ratelimit-unified-reset": "9e99" };
  const { result } = await runAgainst((response) => response.writeHead(429, headers).end("{}"));
  expect(result.error).toMatchObject({ code: "usage_limit" });
  expect(JSON.stringify(result.error)).not.toContain("resetsAt");
});

test.each(["", " ", "-5", "3, 3", "Infinity", "0x10", "soon"])(
  "a host that says to wait for %j is asked in our own time",
  async (after) => {
    const { pauses } = await runAgainst((response) => response.writeHead(429, { "retry-after": after }).end("{}"));
    expect(pauses).toEqual([500, 1000, 2000]);
  },
);

describe("an error shows neither a credential nor the prompt, however it is written down", () => {
  const explained = JSON.stringify({ error: { message: `Nobody knows ${key}.`, echo: key } });
  const named = { location: `https://elsewhere.example/in?key=${key}#${key}` };
  test.each<[string, Answer]>([
    ["of a failing host", (response) => response.writeHead(500, { "x-echo": key }).end(explained)],
    ["of a key that is refused", (response) => response.writeHead(401, { "x-echo": key }).end(explained)],
    ["of a request that is refused", (response) => response.writeHead(400).end(explained)],
    ["of a redirect", (response) => response.writeHead(302, named).end()],
    ["of no protocol", (response) => stream(response, events({ echo: key }))],
    ["of a broken chunk", (response) => stream(response, events(chunk({ content: "a" }), { echo: key }))],
    ["of an empty answer", (response) => response.writeHead(204, { "x-echo": key }).end()],
  ])("%s", async (_, answer) => {
    const { result, told } = await runAgainst(answer);
    const written = [inspect(result.error, { depth: 20, showHidden: true }), JSON.stringify(result.error)];
    for (const text of [...written, JSON.stringify(told.slice(2)), String(Reflect.get(result.error ?? {}, "stack"))]) {
      expect(text).not.toContain(key);
      expect(text).not.toContain("A private prompt.");
    }
  });
});

test.each([
  ["a failing host", 500],
  ["a host that refuses", 400],
])("what %s says at length is told in part", async (_, status) => {
  const body = JSON.stringify({ error: { message: `It broke. ${"x".repeat(5_000_000)}` } });
  const { result, told } = await runAgainst((response) => response.writeHead(status).end(body));
  expect(result.error?.message).toContain("It broke. xxx");
  expect(inspect(result.error, { depth: 20, showHidden: true }).length).toBeLessThan(50_000);
  expect(JSON.stringify(told).length).toBeLessThan(50_000);
});

test("a header of the options stands in the place of one that is sent without it, however it is written", async () => {
  const headers = { AUTHORIZATION: "Basic eA==", "Content-Type": "application/json; charset=utf-8" };
  const { host } = await runAgainst((response) => stream(response, fine), { headers });
  expect(host.requests[0]?.headers).toMatchObject({
    authorization: "Basic eA==",
    "content-type": "application/json; charset=utf-8",
  });
});
