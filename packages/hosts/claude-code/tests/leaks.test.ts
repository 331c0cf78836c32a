/** Makes parallel calls of several kinds, each with unique words. No text of one call may reach another call. */

import { createAgentRuntime } from "@bridle/core";
import { type AgentRuntime, defineTool } from "@bridle/protocol";
import type { RecordedRequest } from "@bridle/rehearsal";
import { expect, test } from "vitest";
import { z } from "zod";
import { comparable } from "./support/comparable.ts";
import { startTestContext } from "./support/test-context.ts";

/** The number of calls; `npm run soak` sets more. */
const calls = Number(process.env.SOAK_CALLS ?? 60);
const atOnce = 8;

/** Returns a unique word of one call. `part` is the place where it is used. */
const word = (call: number, part: string) => `${part}word${String(call).padStart(4, "0")}`;
const planted = /\b(?:prompt|input|result|said)word\d{4}\b/g;

/** Defines a tool. Every call sends its own word to the tool, which returns another word. */
const tool = (name: string) =>
  defineTool({
    name,
    description: `Tells more, by ${name}.`,
    input: z.object({ about: z.string() }),
    annotations: { readOnly: true },
    execute: async ({ about }) => about.replace("input", "result"),
  });
const tools = [tool("left"), tool("right")];

/** Scripts a call's turns. The model repeats the number of its call, which only the prompt contains. */
function turnsOf(call: number) {
  const about = { about: word(call, "input") };
  const user = word(call, "prompt");
  const both = [
    { call: "left", with: about },
    { call: "right", with: about },
  ];
  const said = { say: word(call, "said") };
  const steps = [[said], [{ object: { said: word(call, "said") } }], [{ calls: both }, said], [said]][call % 4];
  return { when: { user }, steps };
}

type Kind = (runtime: AgentRuntime, prompt: string) => Promise<unknown>;
const schema = z.object({ said: z.string() });
const kinds: readonly Kind[] = [
  async (runtime, prompt) => (await runtime.generateText({ prompt, system: "systemword for texts" })).text,
  async (runtime, prompt) =>
    (await runtime.generateObject({ prompt, schema, system: "systemword for objects" })).object.said,
  async (runtime, prompt) =>
    (await runtime.runAgentLoop({ prompt, tools, stepBudget: 3, system: "systemword for loops" }).result).text,
  async (runtime, prompt) => {
    let text = "";
    const run = runtime.runAgentLoop({
      prompt,
      tools: [],
      stepBudget: 1,
      role: "fast",
      system: "systemword for streams",
    });
    for await (const event of run) if (event.type === "text.delta") text += event.text;
    return text;
  },
];
const systems = ["texts", "objects", "loops", "streams"].map((kind) => `systemword for ${kind}`);

const perform = async (runtime: AgentRuntime, call: number) =>
  kinds[call % 4]?.(runtime, `Tell ${word(call, "prompt")}.`);

/** Runs `work` for every call, several in parallel. */
async function each(numbers: readonly number[], width: number, work: (call: number) => Promise<unknown>) {
  const left = [...numbers];
  const worker = async () => {
    for (let call = left.shift(); call !== undefined; call = left.shift()) await work(call);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

/** Returns the requests of each call, found by its words. Each request may contain the words of exactly one call. */
function byCall(requests: readonly RecordedRequest[]): Map<number, string[]> {
  const found = new Map<number, RecordedRequest[]>();
  for (const request of requests.filter(({ path }) => path === "/v1/messages")) {
    const body = JSON.stringify(request.body);
    const numbers = [...new Set(body.match(planted)?.map((text) => Number(text.slice(-4))))];
    expect(numbers).toHaveLength(1);
    const [call = -1] = numbers;
    expect(systems.filter((system) => body.includes(system))).toEqual([systems[call % 4]]);
    found.set(call, [...(found.get(call) ?? []), request]);
  }
  return new Map([...found].map(([call, asked]) => [call, comparable(asked)]));
}

/** Removes the numbers. Without them, the requests of one kind are equal. */
const withoutNumber = (bodies: readonly string[]) =>
  bodies.map((body) => body.replaceAll(planted, (text) => text.slice(0, -4)));

test(`${calls} parallel calls of four kinds share no text, and each sends the same requests as in a new process`, async () => {
  const numbers = Array.from({ length: calls }, (_, call) => call);
  const context = await startTestContext({ rehearsal: 1, turns: numbers.map(turnsOf) } as never);
  const options = { models: { default: "sonnet", fast: "haiku" }, projectDir: context.home.project };
  const pooled = createAgentRuntime({ ...options, backend: context.backend });
  const fresh = createAgentRuntime({ ...options, backend: context.unpooled });
  try {
    const said: unknown[] = [];
    await each(numbers, atOnce, async (call) => {
      said[call] = await perform(pooled, call);
    });
    expect(said).toEqual(numbers.map((call) => word(call, "said")));
    expect(context.rehearsal.failures).toEqual([]);
    const { started = 0, reused } = context.backend.pool() ?? {};
    expect(reused).toBe(calls - started);
    expect(started).toBeLessThan(calls / 4);
    await pooled.close();

    const asked = byCall(context.rehearsal.requests);
    expect([...asked.keys()].sort((a, b) => a - b)).toEqual(numbers);
    const before = context.rehearsal.requests.length;
    const samples = numbers.filter((call) => call % 25 < 2); // four calls of each kind
    await each(samples, 2, (call) => perform(fresh, call));
    const expected = byCall(context.rehearsal.requests.slice(before));
    for (const call of samples) expect(asked.get(call)).toEqual(expected.get(call));
    for (const call of numbers) {
      const sample = samples.find((each) => each % 4 === call % 4) ?? -1;
      expect(withoutNumber(asked.get(call) ?? [])).toEqual(withoutNumber(expected.get(sample) ?? []));
    }
  } finally {
    await Promise.all([pooled.close(), fresh.close()]);
    await context.close();
  }
});
