import { defineTool, type RunEvent } from "@bridle/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { createCassette } from "./cassette.ts";
import { createCassetteRecorder } from "./recorder.ts";
import { fileOf, playBack, record, runOf } from "./recordings-for-tests.ts";

const usage = { input: 10, output: 20 };
const look = defineTool({
  name: "look",
  description: "Looks.",
  input: z.object({ at: z.string() }),
  execute: async ({ at }) => `Seen: ${at}`,
});

test("a run becomes a turn with thinking, text and calls of the model, also refused calls", async () => {
  const calls = [
    { tool: "look", input: { at: "a" } },
    { tool: "look", input: { n: 1 } },
    { tool: "Bash", input: {} },
    { tool: "look", input: '{"at": "x' },
  ];
  const model = [{ steps: [{ think: "Hm.", say: "Four.", calls }, { say: "Done." }] }];
  const cassette = await record(model, [{ prompt: "Look around", tools: [look] }]);
  expect(cassette.script.turns).toEqual([
    {
      when: { user: "/^This call to the tool/" },
      steps: [{ say: "I cannot correct it.", usage: { input: 0, output: 0 }, forever: true }],
    },
    {
      when: { user: "Look around" },
      steps: [
        {
          think: "Hm.",
          say: "Four.",
          calls: [
            { call: "look", with: { at: "a" } },
            { call: "look", with: { n: 1 } },
            { call: "Bash" },
            { call: "look", with_text: '{"at": "x' },
          ],
          usage,
        },
        { say: "Done.", usage },
      ],
    },
  ]);
  expect(cassette).toMatchObject({ runs: 1, backends: ["memory"], models: ["memory-1"], warnings: [] });
});

test("the file describes itself and can be played", async () => {
  const cassette = await record([{ steps: [{ say: "Hello to you." }] }], [{ prompt: "Hello" }]);
  expect(fileOf(cassette)).toBe(`# A cassette: the answers of the model in one run on memory with memory-1.
# Recorded 1970-01-01T00:00:00.000Z. Credentials were replaced by [secret …].
# It is a rehearsal script: play it with bridle run --rehearse, or serve it with bridle rehearse.

rehearsal: 1
turns:
  - when:
      user: Hello
    steps:
      - say: Hello to you.
        usage:
          input: 10
          output: 20
`);
  expect(playBack(cassette, { user: "Hello" })).toMatchObject({ texts: ["Hello to you."] });
});

test("prompts that contain each other, or look like an expression, are distinguished", async () => {
  const prompts = ["Hello", "Hello world", "/Hello/", "a.c", "abc", "Say\n\nHello", " spaced "];
  const model = prompts.toReversed().map((prompt) => ({ prompt, steps: [{ say: `To ${prompt}` }] }));
  const cassette = await record(
    model,
    prompts.map((prompt) => ({ prompt })),
  );
  for (const prompt of prompts) {
    const first = model.find((turn) => prompt.includes(turn.prompt));
    expect(playBack(cassette, { user: prompt.trim() })).toMatchObject({ texts: [first?.steps[0]?.say] });
  }
});

test("the beginning of a long prompt is its condition, unless another begins in the same way", async () => {
  const long = "word ".repeat(1000);
  const one = await record([{ steps: [{ say: "1" }] }], [{ prompt: long }]);
  expect(one.script.turns[0]?.when?.user).toHaveLength(119);
  const model = [{ prompt: "first", steps: [{ say: "1" }] }, { steps: [{ say: "2" }] }];
  const two = await record(model, [{ prompt: `${long}first` }, { prompt: `${long}second` }]);
  expect(playBack(two, { user: `${long}first` })).toMatchObject({ texts: ["1"] });
  expect(playBack(two, { user: `${long}second` })).toMatchObject({ texts: ["2"] });
});

test("only the text beside images and files is a condition, and a prompt without text comes last", async () => {
  const image = { type: "image", mediaType: "image/png", data: "aGk=" } as const;
  const model = [{ prompt: "What", steps: [{ say: "A cat." }] }, { steps: [{ say: "A dog." }] }];
  const cassette = await record(model, [
    { prompt: [{ role: "user", content: [image] }] },
    { prompt: [{ role: "user", content: [image, { type: "text", text: "What is it?" }] }] },
  ]);
  expect(cassette.script.turns.map(({ when }) => when)).toEqual([{ user: "What is it?" }, undefined]);
  expect(playBack(cassette, { user: "" })).toMatchObject({ texts: ["A dog."] });
});

test("the same prompt with another system prompt, or later in a conversation, is distinguished", async () => {
  const history = [
    { role: "user", content: "Hi" },
    { role: "assistant", content: "Hello" },
    { role: "user", content: "Go on" },
  ] as const;
  const cassette = await record(
    [{ prompt: "Go on", steps: [{ say: "x" }] }],
    [{ prompt: "Go on" }, { prompt: "Go on", system: "Be brief." }, { prompt: history, system: "Be brief." }],
  );
  expect(cassette.warnings).toEqual([]);
  expect(cassette.script.turns.map(({ when }) => when)).toEqual([
    { user: "Go on", system: "Be brief.", message: 1 },
    { user: "Go on", message: 1 },
    { user: "Go on", message: 2 },
  ]);
});

test("a repeated question becomes one turn, and a different answer is left out with a warning", () => {
  const said = (text: string) => [{ type: "step.started" }, { type: "text.completed", text }];
  const runs = [
    runOf("a", "Hello", said("1"), {}, 0),
    runOf("b", "Hello", said("1"), {}, 10),
    runOf("c", "Hello", said("2"), {}, 20),
  ];
  const { script, warnings } = createCassette(runs);
  expect(script.turns).toEqual([{ when: { user: "Hello" }, steps: [{ say: "1" }] }]);
  expect(warnings).toEqual(['"Hello" was sent again and got another answer: the cassette keeps the first answer']);
});

test("runs at the same time produce the same cassette, however their events are mixed", async () => {
  const said = (text: string) => [
    { type: "step.started" },
    { type: "text.delta", text: text.slice(0, 2) },
    { type: "text.completed", text },
    { type: "tool.requested", callId: "1", tool: text, input: {} },
  ];
  const runs = ["one", "two", "three"].map((name, index) => runOf(name, name, said(name), {}, index));
  const expected = createCassette(runs);
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.nat()), async (choices) => {
      const left = runs.map((events) => [...events]);
      const recorder = createCassetteRecorder();
      for (const choice of choices) {
        const open = left.filter((events) => events.length > 0);
        if (open.length === 0) break;
        recorder.onEvent(open[choice % open.length]?.shift() as RunEvent);
      }
      expect(await recorder.cassette()).toEqual(expected);
    }),
  );
});

test("every answer is played unchanged, and every prompt finds its answer", async () => {
  const pieces = [
    "{{ look.result }}",
    "{{ look.result.x }}",
    '{{ "{{" }}',
    "{{",
    "}}",
    " ",
    '"',
    "\n",
    "#",
    ": ",
    "- ",
    "|",
  ];
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(fc.constantFrom(...pieces)).map((parts) => parts.join("")),
  );
  const word = fc.tuple(text, fc.constant("x")).map(([a, b]) => a.toWellFormed() + b);
  await fc.assert(
    fc.asyncProperty(word, word, word, fc.jsonValue(), async (prompt, say, think, value) => {
      const calls = [{ tool: "look", input: { value, say } }];
      const cassette = await record([{ steps: [{ think, say, calls }, { say: "" }] }], [{ prompt }]);
      const answer = playBack(cassette, { user: prompt.trim() });
      expect(answer).toMatchObject({ thinking: think, texts: [say] });
      const input = typeof answer === "string" ? "" : answer.calls[0]?.arguments;
      expect(JSON.parse(input ?? "")).toEqual(JSON.parse(JSON.stringify({ value, say })));
    }),
  );
});

test("no secret is in the file, and a prompt that contained one still finds its answer", async () => {
  const letters = fc.string({ minLength: 24, maxLength: 30, unit: fc.constantFrom(..."abcXYZ0189") });
  const secret = fc.oneof(
    letters.map((rest) => ({ planted: `tulip${rest}`, known: true, core: rest })),
    letters.map((rest) => ({ planted: `sk-ant-api03-${rest}`, known: false, core: rest })),
    letters.map((rest) => ({ planted: `Bearer ${rest}`, known: false, core: rest })),
    letters.map((rest) => ({ planted: `postgres://shop:${rest}@db.example/x`, known: false, core: rest })),
    letters.map((rest) => ({ planted: `eyJhbGciOiJIUzI1NiJ9.${rest}.${rest}`, known: false, core: rest })),
    letters.map((rest) => ({
      planted: `-----BEGIN PRIVATE KEY-----\n${rest}\n-----END PRIVATE KEY-----`,
      known: false,
      core: rest,
    })),
  );
  await fc.assert(
    fc.asyncProperty(secret, fc.integer({ min: 0, max: 200 }), async ({ planted, known, core }, padding) => {
      const prompt = `Use ${planted} ${"on it ".repeat(padding)}now`;
      const calls = [
        { tool: "look", input: { at: [{ deep: planted }], [planted]: planted } },
        { tool: planted, input: `{"at": "${planted}` },
      ];
      const model = [{ steps: [{ think: planted, say: `I use ${planted}.`, calls }, { say: planted }] }];
      const cassette = await record(model, [{ prompt, system: planted }], { secrets: known ? [planted] : [] });
      expect(fileOf(cassette)).not.toContain(core);
      expect(playBack(cassette, { user: prompt })).toMatchObject({ texts: [expect.stringContaining("[secret")] });
    }),
  );
});

test("a call that reads more of a long result uses the newest id, which differs in every run", () => {
  const call = (tool: string, callId: string, input: object) => ({ type: "tool.requested", tool, callId, input });
  const finished = (callId: string) => ({ type: "tool.finished", callId, artifact: "whole" });
  const { script } = createCassette([
    runOf("a", "Read", [
      { type: "step.started" },
      call("look", "t1", {}),
      finished("t1"),
      { type: "step.started" },
      call("read_result", "t2", { id: "t1", offset: 7 }),
      { type: "step.started" },
      call("read_result", "t3", { id: "t0", offset: 7 }),
    ]),
  ]);
  expect(script.turns[0]?.steps.slice(1)).toEqual([
    { call: "read_result", with: { offset: 7 } },
    { call: "read_result", with: { id: "t0", offset: 7 } },
  ]);
});

test("a run without a request to a model has no turns", () => {
  const { script, runs } = createCassette([runOf("a", "Hello", [], { stopReason: "stopped" })]);
  expect({ turns: script.turns, runs }).toEqual({ turns: [], runs: 1 });
});
