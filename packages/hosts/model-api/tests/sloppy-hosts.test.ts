/** Tests servers that break the protocol, as some local servers and proxies do. */
import { inspect } from "node:util";
import { createAgentRuntime } from "@bridle/core";
import { defineTool, type RunEvent } from "@bridle/protocol";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { createModelApiBackend } from "../src/backend.ts";
import type { ModelApiOptions } from "../src/settings/options.ts";
import { chunk, done, type RawHost, sseBody, startRawHost, stream } from "./raw-host.ts";
import { ofType } from "./test-runtime.ts";

type Answer = Parameters<typeof startRawHost>[0];

const key = "key-of-the-sloppy-host";
const look = defineTool({
  name: "look",
  description: "Looks.",
  input: z.object({ at: z.string().optional() }),
  annotations: { readOnly: true },
  execute: async ({ at }) => `${at ?? "it"} is fine`,
});

/** Runs once with a tool against a host, and returns all events. */
async function runAgainst(answer: Answer, options: object = {}, model = "llama") {
  const host = await startRawHost(answer);
  const pauses: number[] = [];
  const given = { id: "openai-compatible", apiKey: key, baseUrl: `${host.url}/v1`, ...options } as ModelApiOptions;
  const wait = async (ms: number) => void pauses.push(ms);
  const backend = createModelApiBackend(given, { wait, random: () => 1 });
  const events: RunEvent[] = [];
  const models = { default: model };
  const runtime = createAgentRuntime({ backend, models, onEvent: (event) => void events.push(event) });
  onTestFinished(async () => {
    await runtime.close();
    await backend.close();
  });
  const result = await runtime.runAgentLoop({ prompt: "A private prompt.", tools: [look], stepBudget: 5 }).result;
  return { host, pauses, events, result };
}

const called = (more: object, text: unknown = '{"at":"A-1"}') => ({
  type: "function",
  ...more,
  function: { name: "look", arguments: text },
});
const calling = (...calls: object[]) => sseBody(chunk({ tool_calls: calls }), chunk({}, "tool_calls"), done);
const fine = sseBody(chunk({ content: "fine" }), chunk({}, "stop"), done);
/** Returns an answer that sends the body first, and then a final answer. */
const once =
  (body: string): Answer =>
  (response, index) =>
    stream(response, index === 0 ? body : fine);

/** Returns the ids of the calls and of the results in a request. */
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

test("a longer idle timeout than a timer supports works", async () => {
  const { result } = await runAgainst((response) => stream(response, fine), { idleTimeoutMs: 2 ** 31 });
  expect(result.text).toBe("fine");
});

describe("each call has a unique id, in the event log and in the history", () => {
  test.each<[string, object[]]>([
    ["empty ids", [called({ index: 0, id: "" }), called({ index: 1, id: "" })]],
    ["one id for two", [called({ index: 0, id: "a" }), called({ index: 1, id: "a" })]],
    ["neither ids nor numbers", [called({}), called({})]],
  ])("if a host sends %s", async (_, calls) => {
    const { host, result, events } = await runAgainst(once(calling(...calls)));
    expect(result).toMatchObject({ stopReason: "natural", toolCalls: 2, toolFailures: 0 });
    const sent = idsSent(host);
    expect(new Set(sent.calls).size).toBe(2);
    expect(sent.results).toEqual(sent.calls);
    expect(ofType(events, "tool.requested").map(({ callId }) => callId)).toEqual(sent.calls);
  });

  test("if a host repeats its ids in every answer", async () => {
    const again = calling(called({ index: 0, id: "call_0" }));
    const { host, events, result } = await runAgainst((response, index) => stream(response, index < 3 ? again : fine));
    expect(result).toMatchObject({ stopReason: "natural", toolCalls: 3, toolFailures: 0 });
    const sent = idsSent(host);
    expect(new Set(sent.calls).size).toBe(3);
    expect(sent.results).toEqual(sent.calls);
    expect(ofType(events, "tool.requested").map(({ callId }) => callId)).toEqual(sent.calls);
    for (const id of sent.calls) expect(id).toMatch(/^[\w-]+$/);
  });
});

test("two hundred calls of one answer are all executed, and their results are sent in order", async () => {
  const calls = Array.from({ length: 200 }, (_, index) => called({ index, id: `c${index}` }));
  const { host, result } = await runAgainst(once(calling(...calls)));
  expect(result).toMatchObject({ stopReason: "natural", steps: 2, toolCalls: 200, toolFailures: 0 });
  expect(idsSent(host).results).toEqual(calls.map((_, index) => `c${index}`));
});

test.each([["null"], [""], [" "], [null]])("arguments of %j count as empty", async (text) => {
  const { host, result } = await runAgainst(once(calling(called({ index: 0, id: "a" }, text))));
  expect(result).toMatchObject({ stopReason: "natural", toolCalls: 1, toolFailures: 0 });
  expect(host.requests).toHaveLength(2);
});

test("arguments of five megabytes reach the tool", async () => {
  const text = JSON.stringify({ at: "x".repeat(5_000_000) });
  const { result, events } = await runAgainst(once(calling(called({ index: 0, id: "a" }, text))));
  expect(result).toMatchObject({ stopReason: "natural", toolFailures: 0 });
  expect(ofType(events, "tool.finished")[0]?.ok).toBe(true);
});

test("invalid calls are repaired one after another, so that a run has one request at a time", async () => {
  const calls = Array.from({ length: 20 }, (_, index) => called({ index, id: `c${index}` }, '{"at":7}'));
  let open = 0;
  let max = 0;
  const { host, result } = await runAgainst((response, index) => {
    max = Math.max(max, ++open);
    setTimeout(() => {
      open -= 1;
      stream(response, index === 0 ? calling(...calls) : index <= 20 ? calling(called({ index: 0, id: "m" })) : fine);
    }, 5);
  });
  expect(result).toMatchObject({ stopReason: "natural", toolCalls: 20, toolFailures: 0 });
  expect(host.requests).toHaveLength(22);
  expect(max).toBe(1);
});

test("a tool name in another case is refused, and the model gets the right name", async () => {
  const call = { ...called({ index: 0, id: "a" }), function: { name: "Look", arguments: "{}" } };
  const { events, result } = await runAgainst(once(calling(call)));
  expect(ofType(events, "tool.denied")[0]?.output).toContain('"look"');
  expect(result).toMatchObject({ stopReason: "natural", toolFailures: 1 });
});

describe("the end of an answer", () => {
  test("that promises a call but has none is a BackendCrashError", async () => {
    const { result } = await runAgainst((response) => stream(response, calling()));
    expect(result.error).toMatchObject({ code: "backend_crash" });
    expect(result.error?.message).toContain("called no tool");
  });

  test.each([
    ["without a reason", sseBody(chunk({ content: "" }), done)],
    ["of an empty body", ""],
    ["of a body with only its last line", done],
    ["of a body with only comments", sseBody(": ping\n\n", ": ping\n\n")],
  ])("%s means that the answer broke off, and the request is retried", async (_, body) => {
    const { result, host } = await runAgainst((response, index) => stream(response, index === 0 ? body : fine));
    expect(result).toMatchObject({ stopReason: "natural", text: "fine" });
    expect(host.requests).toHaveLength(2);
  });

  test("without a reason after the first events means that the answer broke off, and the request is retried", async () => {
    const { result, host } = await runAgainst((response) => stream(response, sseBody(chunk({ content: "so" }), done)));
    expect(result.error).toMatchObject({ code: "network", message: expect.stringContaining("broke off") });
    expect(host.requests).toHaveLength(4);
  });
});

describe("an error with status 200", () => {
  test.each<[string, string, number]>([
    ["as an object", sseBody({ error: { message: "out of memory", type: "server_error" } }, done), 4],
    ["as a text", sseBody({ error: "out of memory" }, done), 1],
    ["as an event of its own", 'event: error\ndata: {"message":"out of memory"}\n\n', 1],
  ])("%s in the stream is reported", async (_, body, requests) => {
    const { result, host } = await runAgainst((response) => stream(response, body));
    expect(result.error?.message).toContain("out of memory");
    expect(result.error?.code).not.toBe("config");
    expect(host.requests).toHaveLength(requests);
  });

  test("instead of a stream is reported", async () => {
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
])("an answer of type %s instead of a stream is reported, and the request is not retried", async (type, body) => {
  const { result, host } = await runAgainst((response) => response.writeHead(200, { "content-type": type }).end(body));
  expect(result.error).toMatchObject({ code: "config", message: expect.stringContaining(`${type} instead of a`) });
  expect(host.requests).toHaveLength(1);
});

test("an invalid chunk after valid chunks does not mean a wrong base URL", async () => {
  const body = sseBody(chunk({ role: "assistant" }), { choices: [{ index: 0, delta: { content: 7 } }] });
  const { result } = await runAgainst((response) => stream(response, body));
  expect(result.error).toMatchObject({ code: "backend_crash", message: expect.stringContaining("in the middle") });
});

describe("tokens", () => {
  const counted = (usage: object): Answer => {
    const parts = [chunk({ content: "a" }, null, { usage }), chunk({}, "stop", { usage })];
    return (response) => stream(response, sseBody(...parts, done));
  };

  test("that are repeated in each chunk are counted once", async () => {
    const { result } = await runAgainst(counted({ prompt_tokens: 10, completion_tokens: 2 }));
    expect(result.usage).toEqual({ inputTokens: 10, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0 });
  });

  test("that are left out count as zero", async () => {
    const { result } = await runAgainst((response) => stream(response, fine));
    expect(result.usage).toMatchObject({ inputTokens: 0, outputTokens: 0 });
  });

  test("that the gateway leaves out count as zero", async () => {
    const text = [{ type: "text-start" }, { type: "text-delta", delta: "fine" }, { type: "text-end" }];
    const finish = { type: "finish", finishReason: { unified: "stop", raw: "stop" } };
    const body = sseBody(...text.map((part) => ({ id: "0", ...part })), finish);
    const { result } = await runAgainst((response) => stream(response, body), { id: "gateway" }, "some/model");
    expect(result).toMatchObject({ stopReason: "natural", text: "fine", usage: { inputTokens: 0, outputTokens: 0 } });
  });

  test.each([
    ["more cached tokens than tokens in total", { prompt_tokens: 10, prompt_tokens_details: { cached_tokens: 50 } }],
    ["negative numbers", { prompt_tokens: -5, completion_tokens: -1, prompt_tokens_details: { cached_tokens: -1 } }],
  ])("are never negative, even if a host reports %s", async (_, usage) => {
    const prices = { llama: { input: 1, output: 1, cacheRead: 1 } };
    const { result } = await runAgainst(counted(usage), { prices });
    for (const tokens of Object.values(result.usage)) expect(tokens).toBeGreaterThanOrEqual(0);
    expect(result.cost?.usd).toBeGreaterThanOrEqual(0);
  });
});

test("invalid UTF-8 and Unicode line separators are passed on as text", async () => {
  const broken = Buffer.concat([
    Buffer.from('data: {"choices":[{"index":0,"delta":{"content":"a'),
    Buffer.from([0xff]),
    Buffer.from('b\u2028c"}}]}\n\n'),
    Buffer.from(fine.replaceAll("\n", "\r\n")),
  ]);
  const { result } = await runAgainst((response) => stream(response, broken));
  expect(result).toMatchObject({ stopReason: "natural", text: "a\ufffdb\u2028cfine" });
});

test.each([408, 425])("a request that a host was not ready for (%i) is retried", async (status) => {
  const { result, host } = await runAgainst((response, index) =>
    index === 0 ? response.writeHead(status).end() : stream(response, fine),
  );
  expect(result.text).toBe("fine");
  expect(host.requests).toHaveLength(2);
});

test("a proxy that requires credentials is named as a possible cause of a lost connection", async () => {
  const { result } = await runAgainst((response) => response.writeHead(407).end());
  expect(result.error).toMatchObject({ code: "network", message: expect.stringMatching(/proxy.*407/) });
});

test("a used-up window with an invalid reset time is still a usage limit", async () => {
  const headers = { "anthropic-ratelimit-unified-status": "rejected", "anthropic-ratelimit-unified-reset": "9e99" };
  const { result } = await runAgainst((response) => response.writeHead(429, headers).end("{}"));
  expect(result.error).toMatchObject({ code: "usage_limit" });
  expect(JSON.stringify(result.error)).not.toContain("resetsAt");
});

test.each(["", " ", "-5", "3, 3", "Infinity", "0x10", "soon"])(
  "an invalid retry-after of %j is ignored",
  async (after) => {
    const { pauses } = await runAgainst((response) => response.writeHead(429, { "retry-after": after }).end("{}"));
    expect(pauses).toEqual([500, 1000, 2000]);
  },
);

describe("an error shows neither a credential nor the prompt, in any form", () => {
  const explained = JSON.stringify({ error: { message: `Nobody knows ${key}.`, echo: key } });
  const named = { location: `https://elsewhere.example/in?key=${key}#${key}` };
  test.each<[string, Answer]>([
    ["of a failing host", (response) => response.writeHead(500, { "x-echo": key }).end(explained)],
    ["of a key that is refused", (response) => response.writeHead(401, { "x-echo": key }).end(explained)],
    ["of a request that is refused", (response) => response.writeHead(400).end(explained)],
    ["of a redirect", (response) => response.writeHead(302, named).end()],
    ["of no protocol", (response) => stream(response, sseBody({ echo: key }))],
    ["of a broken chunk", (response) => stream(response, sseBody(chunk({ content: "a" }), { echo: key }))],
    ["of an empty answer", (response) => response.writeHead(204, { "x-echo": key }).end()],
  ])("%s", async (_, answer) => {
    const { result, events } = await runAgainst(answer);
    const written = [inspect(result.error, { depth: 20, showHidden: true }), JSON.stringify(result.error)];
    for (const text of [
      ...written,
      JSON.stringify(events.slice(2)),
      String(Reflect.get(result.error ?? {}, "stack")),
    ]) {
      expect(text).not.toContain(key);
      expect(text).not.toContain("A private prompt.");
    }
  });
});

test.each([
  ["a failing host", 500],
  ["a host that refuses", 400],
])("a long error message of %s is shortened", async (_, status) => {
  const body = JSON.stringify({ error: { message: `It broke. ${"x".repeat(5_000_000)}` } });
  const { result, events } = await runAgainst((response) => response.writeHead(status).end(body));
  expect(result.error?.message).toContain("It broke. xxx");
  expect(inspect(result.error, { depth: 20, showHidden: true }).length).toBeLessThan(50_000);
  expect(JSON.stringify(events).length).toBeLessThan(50_000);
});

test("a header of the options replaces a default header, in any case", async () => {
  const headers = { AUTHORIZATION: "Basic eA==", "Content-Type": "application/json; charset=utf-8" };
  const { host } = await runAgainst((response) => stream(response, fine), { headers });
  expect(host.requests[0]?.headers).toMatchObject({
    authorization: "Basic eA==",
    "content-type": "application/json; charset=utf-8",
  });
});
