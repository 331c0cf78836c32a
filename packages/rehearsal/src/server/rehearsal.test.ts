import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { defineScript } from "../script/define.ts";
import type { ScriptInput } from "../script/schema.ts";
import { type Rehearsal, startRehearsal } from "./rehearsal.ts";

type Steps = ScriptInput["turns"][number]["steps"];

async function rehearse(steps: Steps): Promise<Rehearsal> {
  const rehearsal = await startRehearsal({ script: defineScript({ rehearsal: 1, turns: [{ steps }] }) });
  onTestFinished(() => rehearsal.close());
  return rehearsal;
}

interface Asking {
  readonly messages?: unknown[];
  readonly stream?: boolean;
  readonly tools?: string[];
  readonly signal?: AbortSignal;
}

function ask({ url }: Rehearsal, { messages, stream = true, tools = [], signal }: Asking = {}): Promise<Response> {
  const body = {
    model: "test-model",
    max_tokens: 100,
    stream,
    messages: messages ?? [{ role: "user", content: "hello" }],
    tools: tools.map((name) => ({ name, input_schema: { type: "object" } })),
  };
  return fetch(`${url}/v1/messages?beta=true`, { method: "POST", body: JSON.stringify(body), signal: signal ?? null });
}

const delta = z.object({ delta: z.object({ text: z.string() }) });

/** Returns the text of a stream, joined as a client does it. */
async function streamedText(response: Response): Promise<string> {
  const events = (await response.text()).split("\n\n").map((event) => /^data: (.*)$/m.exec(event)?.[1] ?? "{}");
  return events.map((event) => delta.safeParse(JSON.parse(event)).data?.delta.text ?? "").join("");
}

/** Returns the received part of a body that breaks off. */
async function untilBroken(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  } catch {
    return text;
  }
  throw new Error("the body came to its end");
}

test("a streamed answer consists of server-sent events", async () => {
  const response = await ask(await rehearse([{ say: "Hello there" }]));
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  expect(response.headers.get("request-id")).toMatch(/^req_/);
  expect(await streamedText(response)).toBe("Hello there");
});

test("an answer without a stream is one message with the usage of the script", async () => {
  const usage = { input: 100, output: 20, cache_read: 30, cache_write: 40 };
  const rehearsal = await rehearse([{ think: "hm", say: "Hello", call: "look", with: { id: 1 }, usage }]);
  const response = await ask(rehearsal, { stream: false, tools: ["mcp__bridle__look"] });
  expect(await response.json()).toMatchObject({
    type: "message",
    role: "assistant",
    model: "test-model",
    content: [
      { type: "thinking", thinking: "hm" },
      { type: "text", text: "Hello" },
      { type: "tool_use", name: "mcp__bridle__look", input: { id: 1 } },
    ],
    stop_reason: "tool_use",
    usage: { input_tokens: 100, output_tokens: 20, cache_read_input_tokens: 30, cache_creation_input_tokens: 40 },
  });
});

test("a script's stop reason replaces the default", async () => {
  const response = await ask(await rehearse([{ say: "Hel", stop_reason: "max_tokens" }]), { stream: false });
  expect(await response.json()).toMatchObject({ stop_reason: "max_tokens" });
});

test("the streamed text is the script's text, under any division of its bytes", async () => {
  const division = fc.oneof(
    fc.record({ chunk_bytes: fc.integer({ min: 1, max: 50 }) }),
    fc.constant({ split_utf8: true }),
    fc.constant({}),
  );
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary", minLength: 1, maxLength: 30 }), division, async (say, how) => {
      const script = defineScript({ rehearsal: 1, turns: [{ steps: [{ say, ...how }] }] });
      const rehearsal = await startRehearsal({ script });
      const text = await streamedText(await ask(rehearsal)).finally(() => rehearsal.close());
      expect(text).toBe(say);
    }),
    { numRuns: 40 },
  );
});

test.each([
  [401, "authentication_error"],
  [402, "billing_error"],
  [404, "not_found_error"],
  [429, "rate_limit_error"],
  [500, "api_error"],
  [529, "overloaded_error"],
])("the status %i has the API's type %s", async (status, type) => {
  const response = await ask(await rehearse([{ status }]));
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ type: "error", error: { type, message: expect.stringMatching(/./) } });
});

test("a status can have its own type, message and headers", async () => {
  const fault = { status: 503, error_type: "odd_error", message: "Gone fishing", headers: { "retry-after": 0 } };
  const response = await ask(await rehearse([fault]));
  expect(response.headers.get("retry-after")).toBe("0");
  expect(await response.json()).toMatchObject({ error: { type: "odd_error", message: "Gone fishing" } });
});

test("a limit is a 429 with the headers of a used-up window", async () => {
  const response = await ask(await rehearse([{ limit: { resets_in_seconds: 60 } }]));
  expect(response.status).toBe(429);
  expect(response.headers.get("anthropic-ratelimit-unified-status")).toBe("rejected");
});

test("a limit beside an answer warns in the answer's headers", async () => {
  const limit = { resets_in_seconds: 60, status: "allowed_warning" as const };
  const response = await ask(await rehearse([{ say: "Hello", limit }]));
  expect(response.status).toBe(200);
  expect(response.headers.get("anthropic-ratelimit-unified-status")).toBe("allowed_warning");
});

test("a page of HTML replaces an answer, like the error page of a gateway", async () => {
  const response = await ask(await rehearse([{ html: true }]));
  expect([response.status, response.headers.get("content-type")]).toEqual([502, "text/html; charset=utf-8"]);
  expect(await response.text()).toContain("<html>");
});

test("a reset ends the connection before any headers", async () => {
  const rehearsal = await rehearse([{ reset: true }, { say: "Hello" }]);
  await expect(ask(rehearsal)).rejects.toThrow("fetch failed");
  expect(await streamedText(await ask(rehearsal))).toBe("Hello");
});

test.each([true, false])("a cut ends the connection after the text so far (streaming: %s)", async (stream) => {
  const rehearsal = await rehearse([{ say: "one two three four five six", cut: true }]);
  const text = await untilBroken(await ask(rehearsal, { stream }));
  expect(text).toContain(stream ? '"five "' : '"model":"test-model"');
  expect(text).not.toContain("end_turn");
  expect(rehearsal.requests[0]?.closed).toBe(false);
});

test("a stall sends the text so far and then nothing, until the client closes the connection", async () => {
  const rehearsal = await rehearse([{ say: "one two", stall: true }]);
  const hangUp = new AbortController();
  const response = await ask(rehearsal, { signal: hangUp.signal });
  setTimeout(() => hangUp.abort(), 100);
  expect(await untilBroken(response)).toContain('"two"');
  await expect.poll(() => rehearsal.requests[0]?.closed).toBe(true);
});

test.each([true, false])("a stall without text has headers only (streaming: %s)", async (stream) => {
  const response = await ask(await rehearse([{ stall: true }]), { stream, signal: AbortSignal.timeout(100) });
  expect(response.status).toBe(200);
  expect(await untilBroken(response)).toBe("");
});

test("an answer waits as long as the script says, and its text is sent in paced pieces", async () => {
  const rehearsal = await rehearse([{ say: "a b c", delay_ms: 60, chunk_ms: 30 }]);
  const start = performance.now();
  const response = await ask(rehearsal);
  expect(performance.now() - start).toBeGreaterThan(55);
  await response.text();
  expect(performance.now() - start).toBeGreaterThan(140);
});

test("an oversized answer arrives whole", async () => {
  const text = await streamedText(await ask(await rehearse([{ oversized_bytes: 2_000_000 }])));
  expect(text).toHaveLength(2_000_000);
});

test("broken arguments are streamed unchanged", async () => {
  const response = await ask(await rehearse([{ call: "look", with_text: '{"broken' }]));
  expect(await response.text()).toContain(String.raw`"partial_json":"{\"broken"`);
});

test("conversations at the same time do not disturb each other", async () => {
  const turns = ["a", "b", "c"].map((name) => ({
    when: { user: name },
    steps: [{ status: 529 }, { say: `for ${name}` }],
  }));
  const rehearsal = await startRehearsal({ script: defineScript({ rehearsal: 1, turns }) });
  onTestFinished(() => rehearsal.close());
  const talk = async (content: string) => {
    const messages = [{ role: "user", content }];
    const first = await ask(rehearsal, { messages });
    return [first.status, await streamedText(await ask(rehearsal, { messages }))];
  };
  expect(await Promise.all(["a", "b", "c"].map(talk))).toEqual([
    [529, "for a"],
    [529, "for b"],
    [529, "for c"],
  ]);
});

test("a script without a matching step is a 400 that names turn and step, and one failure", async () => {
  const rehearsal = await rehearse([{ say: "Hello" }]);
  const messages = [
    { role: "user", content: "hello" },
    { role: "assistant", content: "Hello" },
    { role: "user", content: "[structured-output-enforce] again" },
  ];
  const responses = [await ask(rehearsal, { messages }), await ask(rehearsal, { messages })];
  expect(responses.map(({ status }) => status)).toEqual([400, 400]);
  expect(await responses[0]?.json()).toMatchObject({
    error: { type: "invalid_request_error", message: expect.stringMatching(/^Rehearsal: script, turn 1: step 2 was/) },
  });
  expect(rehearsal.failures).toMatchObject([{ turn: 1, step: 2, request: { path: "/v1/messages" } }]);
});

test.each([
  ["no messages at all", [], /^messages: /],
  [
    "a history that begins with the model",
    [{ role: "assistant", content: "a" }],
    /first message must use the user role/,
  ],
])("a request with %s is refused like the real API does, and is a failure", async (_, messages, reason) => {
  const rehearsal = await rehearse([{ say: "Hello" }]);
  const response = await ask(rehearsal, { messages });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { message: expect.stringMatching(reason) } });
  expect(rehearsal.failures).toHaveLength(1);
});

test.each([
  ["HEAD", "/", 200],
  ["GET", "/", 200],
  ["GET", "/v1/models", 200],
  ["GET", "/api/oauth/profile", 200],
  ["POST", "/v1/messages/count_tokens", 200],
  ["GET", "/v1/messages", 404],
  ["GET", "/toString", 404],
  ["POST", "/v1/nothing", 404],
])("%s %s is answered with %i", async (method, path, status) => {
  const { url } = await rehearse([{ say: "Hello" }]);
  const response = await fetch(url + path, { method, headers: { "anthropic-version": "2023-06-01" } });
  expect(response.status).toBe(status);
  if (status === 404)
    expect(await response.json()).toMatchObject({ type: "error", error: { type: "not_found_error" } });
});

test("every request is logged with the turn and step that answered", async () => {
  const rehearsal = await rehearse([{ say: "Hello" }]);
  await (await ask(rehearsal)).text();
  await fetch(`${rehearsal.url}/v1/other`, { method: "POST", body: "not json" });
  expect(rehearsal.requests).toMatchObject([
    {
      method: "POST",
      path: "/v1/messages",
      query: "beta=true",
      body: { model: "test-model" },
      played: { turn: 1, step: 1 },
    },
    { method: "POST", path: "/v1/other", query: "", body: "not json", closed: false },
  ]);
  expect(rehearsal.requests[0]?.at).toBeLessThanOrEqual(performance.now());
});

test("the next request is returned once, whether it arrived before or arrives later", async () => {
  const rehearsal = await rehearse([{ say: "Hello" }]);
  await ask(rehearsal);
  expect(await rehearsal.nextRequest()).toBe(rehearsal.requests[0]);
  const models = rehearsal.nextRequest(({ path }) => path === "/v1/models");
  await ask(rehearsal);
  await fetch(`${rehearsal.url}/v1/models`);
  expect(await models).toMatchObject({ path: "/v1/models" });
  expect(await rehearsal.nextRequest()).toBe(rehearsal.requests[1]);
});

test("closing ends open answers and rejects callers that wait for a request", async () => {
  const rehearsal = await rehearse([{ stall: true }]);
  const response = await ask(rehearsal);
  await rehearsal.nextRequest();
  const waiting = expect(rehearsal.nextRequest()).rejects.toThrow(
    "The rehearsal was closed before the request arrived.",
  );
  await rehearsal.close();
  await waiting;
  expect(await untilBroken(response)).toBe("");
});

test("starting on a port in use fails", async () => {
  const { url } = await rehearse([{ say: "Hello" }]);
  const script = defineScript({ rehearsal: 1, turns: [{ steps: [{ say: "Hello" }] }] });
  await expect(startRehearsal({ script, port: Number(new URL(url).port) })).rejects.toThrow("EADDRINUSE");
});
