import { defineTool } from "@bridle/protocol";
import type { ScriptInput } from "@bridle/rehearsal";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { mendWords } from "../src/calls/check-call.ts";
import { modelApiIds } from "../src/settings/options.ts";
import { ofType, type RunStage, stageScript } from "./runs.ts";

const seen: unknown[] = [];
const look = defineTool({
  name: "look",
  description: "Looks.",
  input: z.object({ at: z.string(), lines: z.array(z.object({ sku: z.string() })).optional() }),
  execute: async (input) => {
    seen.push(input);
    return `${input.at} is fine`;
  },
});

type Step = ScriptInput["turns"][number]["steps"][number];

/** One call as the model makes it, what it answers when it is asked to mend it, and the run. */
async function callOnce(id: (typeof modelApiIds)[number], call: Step, mended: Step = { say: "I cannot." }) {
  seen.length = 0;
  const stage = await stageScript(id, {
    rehearsal: 1,
    turns: [{ when: { user: mendWords }, steps: [{ ...mended, forever: true }] }, { steps: [call, { say: "done" }] }],
  });
  const run = stage.runtime.runAgentLoop({ prompt: "go", tools: [look], stepBudget: 3 });
  return { ...stage, result: await run.result };
}

function notices({ events }: Pick<RunStage, "events">): string[] {
  return ofType(events, "notice").flatMap(({ code, message }) => (code === "call-mended" ? [message] : []));
}

describe.each(modelApiIds)("on %s, arguments", (id) => {
  test("that are JSON inside of a string are read, without asking again", async () => {
    const stage = await callOnce(id, { call: "look", with_text: JSON.stringify('{"at":"A-1"}') });
    expect(seen).toEqual([{ at: "A-1" }]);
    expect(stage.asked()).toBe(2);
    expect(notices(stage)).toEqual([expect.stringContaining("inside of a string")]);
    expect(stage.result).toMatchObject({ stopReason: "natural", steps: 2, toolFailures: 0 });
  });

  test("with a field that is JSON inside of a string are read too", async () => {
    const stage = await callOnce(id, { call: "look", with: { at: "[1]", lines: '[{"sku":"x"}]' } });
    expect(seen).toEqual([{ at: "[1]", lines: [{ sku: "x" }] }]);
    expect(stage.asked()).toBe(2);
  });

  test("that are no JSON are mended by the model, once, for the call and for the history", async () => {
    const stage = await callOnce(id, { call: "look", with_text: '{"at": "A-1' }, { call: "look", with: { at: "A-1" } });
    expect(seen).toEqual([{ at: "A-1" }]);
    expect(stage.asked()).toBe(3);
    const [, asked, next] = stage.rehearsal.requests.map(({ body }) => body as { tools?: unknown[] });
    expect(asked?.tools).toHaveLength(1);
    expect(JSON.stringify(asked)).toContain(mendWords);
    expect(JSON.stringify(next)).toMatch(/A-1\\?"}/);
    expect(JSON.stringify(next)).not.toContain("malformed");
    expect(notices(stage)).toEqual([expect.stringContaining("asked again")]);
    expect(stage.result).toMatchObject({ stopReason: "natural", steps: 2, toolFailures: 0 });
  });

  test("that stay wrong go to the gate as they came, which says what is wrong", async () => {
    const stage = await callOnce(id, { call: "look", with: { at: 7 } }, { call: "look", with: { at: 8 } });
    expect(seen).toEqual([]);
    expect(stage.asked()).toBe(3);
    expect(ofType(stage.events, "tool.requested")).toMatchObject([{ input: { at: 7 } }]);
    expect(ofType(stage.events, "tool.denied")).toHaveLength(1);
    expect(notices(stage)).toEqual([]);
    expect(stage.result).toMatchObject({ stopReason: "natural", steps: 2, toolFailures: 1 });
  });

  test("that are no JSON and stay so do not end the conversation", async () => {
    const stage = await callOnce(id, { call: "look", with_text: "at A-1, please" });
    expect(ofType(stage.events, "tool.requested")).toMatchObject([{ input: "at A-1, please" }]);
    expect(stage.rehearsal.failures).toEqual([]);
    expect(stage.result).toMatchObject({ stopReason: "natural", steps: 2, toolFailures: 1 });
  });
});

test("the tokens of a mended call are counted with its step", async () => {
  const usage = { input: 100, output: 10 };
  const stage = await callOnce(
    "anthropic",
    { call: "look", with: { at: 7 }, usage },
    { call: "look", with: { at: "A-1" }, usage },
  );
  expect(ofType(stage.events, "step.finished")[0]?.usage).toMatchObject({ inputTokens: 200, outputTokens: 20 });
  expect(stage.result.usage).toMatchObject({ inputTokens: 210, outputTokens: 25 });
});

test("a failure while a call is mended is no failure of the run", async () => {
  const stage = await callOnce("openai", { call: "look", with: { at: 7 } }, { status: 500 });
  expect(stage.asked()).toBe(3);
  expect(stage.result).toMatchObject({ stopReason: "natural", toolFailures: 1 });
});

test("a call of a tool that nobody handed over is not mended", async () => {
  const stage = await callOnce("anthropic", { call: "delete_all", with_text: "everything" });
  expect(stage.asked()).toBe(2);
  expect(ofType(stage.events, "tool.denied")).toHaveLength(1);
});

test("a call that was cut at the answer's length is neither mended nor made", async () => {
  const stage = await callOnce("anthropic", { call: "look", with_text: '{"at": "A', stop_reason: "max_tokens" });
  expect(stage.asked()).toBe(1);
  expect(ofType(stage.events, "tool.requested")).toEqual([]);
  expect(stage.result).toMatchObject({ stopReason: "error", steps: 1, error: { code: "budget_exceeded" } });
});
