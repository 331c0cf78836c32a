import { APICallError } from "@ai-sdk/provider";
import { expect, onTestFinished, test as plainTest } from "vitest";
import { defineScript, type Rehearsal, type ScriptInput, startRehearsal } from "../src/index.ts";
import { answered, both, clients, generate, hello, stream, tool, user } from "./ai-sdk.ts";

type Steps = ScriptInput["turns"][number]["steps"];

const test = plainTest.for(Object.entries(clients).map(([name, connect]) => ({ name, connect })));
const ways = Object.entries(both);

async function rehearse(turns: ScriptInput["turns"]): Promise<Rehearsal> {
  const rehearsal = await startRehearsal({ script: defineScript({ rehearsal: 1, turns }) });
  onTestFinished(() => rehearsal.close());
  return rehearsal;
}

const play = (steps: Steps) => rehearse([{ steps }]);

/** Returns a failed call's error. The client must recognise it as an API error. */
async function failureOf(call: Promise<unknown>): Promise<APICallError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const inner = error instanceof Error && !APICallError.isInstance(error) ? error.cause : error;
  if (APICallError.isInstance(inner)) return inner;
  throw new Error("expected an error of the API", { cause: error });
}

// OpenAI's own client does not read `reasoning_content`: OpenAI does not return the thinking of its models.
test("$name: one answer has text, thinking and several calls, streamed or not", async ({ name, connect }) => {
  const calls = [
    { call: "look", with: { id: "A 1" } },
    { call: "find", with: {} },
  ];
  const rehearsal = await play([{ think: "hm hm", say: "Let mé see 🔎", calls, forever: true }]);
  for (const [, ask] of ways) {
    const outcome = await ask(connect(rehearsal.url), { ...hello, tools: [tool("look"), tool("find")] });
    expect(outcome).toMatchObject({ text: "Let mé see 🔎", finish: "tool-calls" });
    expect(outcome.calls.map(({ toolName, input }) => [toolName, JSON.parse(input)])).toEqual([
      ["look", { id: "A 1" }],
      ["find", {}],
    ]);
    expect(new Set(outcome.calls.map(({ toolCallId }) => toolCallId)).size).toBe(2);
    expect(outcome.reasoning).toBe(/^OpenAI Chat Completions( on Azure)?$/.test(name) ? "" : "hm hm");
  }
  expect(rehearsal.failures).toEqual([]);
});

test("$name: the steps of a loop follow each other, with results in between", async ({ connect }) => {
  const rehearsal = await play([
    { think: "first", call: "look", with: { id: "A" } },
    {
      say: "Again.",
      calls: [
        { call: "look", with: { id: "B" } },
        { call: "look", with: { id: "C" } },
      ],
    },
    { say: "It is {{ look.result.state }}." },
  ]);
  for (const [, ask] of ways) {
    const tools = [tool("look")];
    const model = connect(rehearsal.url);
    const first = await ask(model, { prompt: [user("hello")], tools });
    const then = [user("hello"), ...answered(first, '{"state":"lost"}')];
    const second = await ask(model, { prompt: then, tools });
    const last = [...then, ...answered(second, '{"state":"shipped"}')];
    expect(await ask(model, { prompt: last, tools })).toMatchObject({ text: "It is shipped.", finish: "stop" });
  }
  expect(rehearsal.failures).toEqual([]);
  expect(rehearsal.requests.map(({ played }) => played?.step)).toEqual([1, 2, 3, 1, 2, 3]);
});

test("$name: the newest message of the user and the system prompt choose the turn", async ({ connect }) => {
  const rehearsal = await rehearse([
    { when: { user: "two", system: "shop" }, steps: [{ say: "second" }] },
    { steps: [{ say: "first" }] },
  ]);
  const model = connect(rehearsal.url);
  const system = { role: "system" as const, content: "my shop" };
  const first = await stream(model, { prompt: [system, user("one")] });
  const next = await stream(model, { prompt: [system, user("one"), ...answered(first, ""), user("two")] });
  expect([first.text, next.text]).toEqual(["first", "second"]);
});

test("$name: an object is JSON that matches the schema", async ({ connect }) => {
  const rehearsal = await play([{ object: { answer: 42 }, forever: true }]);
  const schema = {
    type: "object" as const,
    properties: { answer: { type: "number" as const } },
    required: ["answer"],
    additionalProperties: false,
  };
  for (const [, ask] of ways) {
    const outcome = await ask(connect(rehearsal.url), { ...hello, responseFormat: { type: "json", schema } });
    expect(JSON.parse(outcome.text)).toEqual({ answer: 42 });
  }
  expect(rehearsal.failures).toEqual([]);
});

test("$name: a stop reason can have the name of any protocol", async ({ connect }) => {
  const words = { max_tokens: "length", length: "length", refusal: "content-filter", content_filter: "content-filter" };
  for (const [word, unified] of Object.entries(words)) {
    const rehearsal = await play([{ say: "Hel", stop_reason: word, forever: true }]);
    for (const [, ask] of ways) expect((await ask(connect(rehearsal.url), hello)).finish).toBe(unified);
  }
});

test("$name: the tokens of the script are the usage", async ({ connect }) => {
  const rehearsal = await play([{ say: "Hi", usage: { input: 100, output: 20, cache_read: 30 }, forever: true }]);
  for (const [, ask] of ways)
    expect((await ask(connect(rehearsal.url), hello)).usage).toEqual({ input: 130, output: 20, cached: 30 });
});

test("$name: a status is an error in the API's form, with its message and headers", async ({ connect }) => {
  const steps = [{ status: 429, message: "Slow down", headers: { "retry-after": 7 } }, { status: 401 }];
  const rehearsal = await play(steps);
  const model = connect(rehearsal.url);
  const slow = await failureOf(generate(model, hello));
  expect(slow).toMatchObject({ statusCode: 429, responseHeaders: { "retry-after": "7" } });
  expect(slow.responseBody).toContain("Slow down");
  const refused = await failureOf(stream(model, hello));
  expect(refused.statusCode).toBe(401);
  expect(refused.responseBody).toMatch(/key|auth|token/i);
});

test("$name: a used-up limit is a 429 with the time of a retry", async ({ connect }) => {
  const rehearsal = await play([{ limit: { resets_in_seconds: 60 } }]);
  const error = await failureOf(stream(connect(rehearsal.url), hello));
  expect(error.statusCode).toBe(429);
  expect(error.responseHeaders?.["retry-after"]).toBe("60");
});

test("$name: a page of HTML, and a connection that breaks before the headers, are failures", async ({ connect }) => {
  const rehearsal = await play([{ html: true }, { reset: true }, { say: "well" }]);
  const model = connect(rehearsal.url);
  expect(await failureOf(stream(model, hello))).toMatchObject({ statusCode: 502 });
  expect((await failureOf(stream(model, hello))).statusCode).toBeUndefined();
  expect((await stream(model, hello)).text).toBe("well");
});

test("$name: a stream that is cut has the text so far and then an error", async ({ connect }) => {
  const rehearsal = await play([{ say: "one two three", cut: true }, { say: "well" }]);
  const model = connect(rehearsal.url);
  const outcome = await stream(model, hello);
  expect(outcome.text).toBe("one two three");
  expect(outcome.error).toBeDefined();
  expect((await stream(model, hello)).text).toBe("well");
});

test("$name: an answer in one piece that is cut or stalls is a failure", async ({ connect }) => {
  const rehearsal = await play([{ say: "one two three", cut: true }, { say: "one", stall: true }, { say: "well" }]);
  const model = connect(rehearsal.url);
  await expect(generate(model, hello)).rejects.toThrow();
  await expect(generate(model, { ...hello, abortSignal: AbortSignal.timeout(200) })).rejects.toThrow();
  expect((await generate(model, hello)).text).toBe("well");
});

test("$name: a stall sends the text so far and then nothing, until the client gives up", async ({ connect }) => {
  const rehearsal = await play([{ say: "one two", stall: true }]);
  const abort = new AbortController();
  const onText = () => setTimeout(() => abort.abort(), 200);
  const outcome = await stream(connect(rehearsal.url), { ...hello, abortSignal: abort.signal }, onText);
  expect(outcome.text).toBe("one two");
  expect(outcome.error).toBeDefined();
  await expect.poll(() => rehearsal.requests[0]?.closed).toBe(true);
});

test("$name: a text survives any division of its bytes, however long it is", async ({ connect }) => {
  const say = "naïve 😀 é";
  const rehearsal = await rehearse([
    { when: { user: "bytes" }, steps: [{ say, chunk_bytes: 3 }] },
    { when: { user: "characters" }, steps: [{ say, split_utf8: true }] },
    { steps: [{ oversized_bytes: 300_000 }] },
  ]);
  const ask = async (text: string) => (await stream(connect(rehearsal.url), { prompt: [user(text)] })).text;
  expect(await ask("bytes")).toBe(say);
  expect(await ask("characters")).toBe(say);
  expect(await ask("all")).toHaveLength(300_000);
});

test("$name: broken arguments arrive unchanged", async ({ connect }) => {
  const rehearsal = await play([{ call: "look", with_text: '{"broken' }]);
  const outcome = await stream(connect(rehearsal.url), { ...hello, tools: [tool("look")] });
  expect(outcome.calls).toMatchObject([{ toolName: "look", input: '{"broken' }]);
});

test("$name: a script without a matching step is a 400 that names turn and step", async ({ connect }) => {
  const rehearsal = await play([{ say: "Hello" }]);
  const model = connect(rehearsal.url);
  const first = await generate(model, hello);
  const error = await failureOf(generate(model, { prompt: [user("hello"), ...answered(first, "")] }));
  expect(error.statusCode).toBe(400);
  expect(error.message).toContain("Rehearsal: script, turn 1: step 2 was requested");
  expect(rehearsal.failures).toMatchObject([{ turn: 1, step: 2 }]);
});

test("$name: a result without its call is refused like the real API does, and is a failure", async ({ connect }) => {
  const rehearsal = await play([{ say: "Hello" }]);
  const output = { type: "text" as const, value: "42" };
  const stray = { type: "tool-result" as const, toolCallId: "call_1", toolName: "look", output };
  const prompt = [user("hello"), { role: "tool" as const, content: [stray] }];
  expect(await failureOf(generate(connect(rehearsal.url), { prompt }))).toMatchObject({ statusCode: 400 });
  expect(rehearsal.failures).toMatchObject([{ message: expect.stringContaining("the real API would refuse it") }]);
});

test("$name: two tools of one name are refused", async ({ connect }) => {
  const rehearsal = await play([{ say: "Hello" }]);
  const tools = [tool("look"), tool("look")];
  expect(await failureOf(generate(connect(rehearsal.url), { ...hello, tools }))).toMatchObject({ statusCode: 400 });
  expect(rehearsal.failures).toHaveLength(1);
});

test("$name: a model in code answers each request", async ({ connect }) => {
  const rehearsal = await startRehearsal({
    model: ({ user, step, results, tools }) => {
      if (user === "broken") return undefined;
      if (step === 1) return { call: "look", with: { tools } };
      return { say: `${user}: ${results.map(({ text }) => text).join()}` };
    },
  });
  onTestFinished(() => rehearsal.close());
  for (const [, ask] of ways) {
    const tools = [tool("look")];
    const first = await ask(connect(rehearsal.url), { prompt: [user("hello")], tools });
    expect(first.calls.map(({ input }) => JSON.parse(input))).toEqual([{ tools: ["look"] }]);
    const prompt = [user("hello"), ...answered(first, "seen")];
    expect(await ask(connect(rehearsal.url), { prompt, tools })).toMatchObject({ text: "hello: seen", finish: "stop" });
  }
  expect(rehearsal.failures).toEqual([]);
  const failure = await failureOf(generate(connect(rehearsal.url), { prompt: [user("broken")] }));
  expect(failure.message).toContain("The model in code, message 1, step 1: it returned no step.");
  expect(rehearsal.failures).toMatchObject([{ turn: 1, step: 1 }]);
});
