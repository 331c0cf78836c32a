/** Checks that one program behaves in the same way on every backend, including the order of its events. */
import { type AgentRuntime, defineTool, type RunEvent } from "@bridle/protocol";
import { expect, test } from "vitest";
import { z } from "zod";
import { modelApiIds } from "../src/settings/options.ts";
import { ofType, startScript } from "./test-runtime.ts";

const weigh = defineTool({
  name: "weigh",
  description: "Weighs.",
  input: z.object({ what: z.string() }),
  annotations: { readOnly: true },
  execute: async ({ what }) => `${what}: 3 kg`,
});
const calls = ["a", "b", "c"].map((what) => ({ call: "weigh", with: { what } }));
const script = {
  rehearsal: 1 as const,
  turns: [
    { when: { user: "text" }, steps: [{ think: "Hm.", say: "Good morning." }] },
    { when: { user: "object" }, steps: [{ object: { total: 9 } }] },
    { when: { user: "loop" }, steps: [{ say: "I weigh them.", calls }, { say: "Nine kilograms." }] },
  ],
};

async function program(runtime: AgentRuntime): Promise<void> {
  await runtime.generateText({ prompt: "text" });
  await runtime.generateObject({ prompt: "object", schema: z.object({ total: z.number() }) });
  await runtime.runAgentLoop({ prompt: "loop", tools: [weigh], stepBudget: 3 }).result;
}

test.each(modelApiIds)("%s emits the same events in the same order", async (id) => {
  const { runtime, events } = await startScript(id, script);
  await program(runtime);
  const kinds = events.map(({ type }) => type).filter((type) => !type.endsWith(".delta") && type !== "notice");
  const step = (...inside: RunEvent["type"][]) => ["step.started", ...inside, "step.finished"];
  const run = (...inside: string[]) => ["run.started", "model.input", ...inside, "usage.reported", "run.finished"];
  const requested = ["tool.requested", "tool.evaluated"];
  expect(kinds.filter((type) => !type.startsWith("tool."))).toEqual([
    ...run(...step("reasoning.completed", "text.completed")),
    ...run(...step()),
    ...run(...step("text.completed"), ...step("text.completed")),
  ]);
  expect(kinds.filter((type) => requested.includes(type))).toHaveLength(6);
  expect(ofType(events, "tool.finished").map(({ ok }) => ok)).toEqual([true, true, true]);
  const results = ofType(events, "run.finished").map(({ result }) => [result.text, result.steps, result.toolCalls]);
  expect(results).toEqual([
    ["Good morning.", 1, 0],
    ["", 1, 0],
    ["Nine kilograms.", 2, 3],
  ]);
});
