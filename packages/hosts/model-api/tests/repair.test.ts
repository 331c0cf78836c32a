import { correctionStart, defineTool } from "@bridle/protocol";
import type { ScriptInput } from "@bridle/rehearsal";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { modelApiIds } from "../src/settings/options.ts";
import { ofType, startScript, type TestRuntime } from "./test-runtime.ts";

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

/** Runs with one call, and with the model's answer to the repair request. */
async function callOnce(id: (typeof modelApiIds)[number], call: Step, repair: Step = { say: "I cannot." }) {
  seen.length = 0;
  const started = await startScript(id, {
    rehearsal: 1,
    turns: [
      { when: { user: correctionStart }, steps: [{ ...repair, forever: true }] },
      { steps: [call, { say: "done" }] },
    ],
  });
  const run = started.runtime.runAgentLoop({ prompt: "go", tools: [look], stepBudget: 3 });
  return { ...started, result: await run.result };
}

function notices({ events }: Pick<TestRuntime, "events">): string[] {
  return ofType(events, "notice").flatMap(({ code, message }) => (code === "call-repaired" ? [message] : []));
}

describe.each(modelApiIds)("on %s, arguments", (id) => {
  test("that are JSON inside a string are parsed without another request", async () => {
    const started = await callOnce(id, { call: "look", with_text: JSON.stringify('{"at":"A-1"}') });
    expect(seen).toEqual([{ at: "A-1" }]);
    expect(started.requestCount()).toBe(2);
    expect(notices(started)).toEqual([expect.stringContaining("inside a string")]);
    expect(started.result).toMatchObject({ stopReason: "natural", steps: 2, toolFailures: 0 });
  });

  test("that a script writes wrong stay wrong, if the script has no turn for their correction", async () => {
    seen.length = 0;
    const call: Step = { call: "look", with: { at: 7 } };
    const turns: ScriptInput["turns"] = [
      { when: { user: "go" }, steps: [call, { say: "done" }] },
      { steps: [{ call: "look", with: { at: "A-1" } }, { say: "other" }] },
    ];
    const started = await startScript(id, { rehearsal: 1, turns });
    const { result } = started.runtime.runAgentLoop({ prompt: "go", tools: [look], stepBudget: 3 });
    expect(await result).toMatchObject({ text: "done", toolCalls: 1, toolFailures: 1 });
    expect(seen).toEqual([]);
  });

  test("with a field that is JSON inside a string are parsed too", async () => {
    const started = await callOnce(id, { call: "look", with: { at: "[1]", lines: '[{"sku":"x"}]' } });
    expect(seen).toEqual([{ at: "[1]", lines: [{ sku: "x" }] }]);
    expect(started.requestCount()).toBe(2);
  });

  test("that are no JSON are repaired by the model once, for the call and for the history", async () => {
    const started = await callOnce(
      id,
      { call: "look", with_text: '{"at": "A-1' },
      { call: "look", with: { at: "A-1" } },
    );
    expect(seen).toEqual([{ at: "A-1" }]);
    expect(started.requestCount()).toBe(3);
    const [, repairRequest, next] = started.rehearsal.requests.map(({ body }) => body as { tools?: unknown[] });
    expect(repairRequest?.tools).toHaveLength(1);
    expect(JSON.stringify(repairRequest)).toContain(correctionStart);
    expect(JSON.stringify(next)).toMatch(/A-1\\?"}/);
    expect(JSON.stringify(next)).not.toContain("malformed");
    expect(notices(started)).toEqual([expect.stringContaining("asked again")]);
    expect(started.result).toMatchObject({ stopReason: "natural", steps: 2, toolFailures: 0 });
  });

  test("that stay wrong reach the tool executor unchanged, and it reports the problem", async () => {
    const started = await callOnce(id, { call: "look", with: { at: 7 } }, { call: "look", with: { at: 8 } });
    expect(seen).toEqual([]);
    expect(started.requestCount()).toBe(3);
    expect(ofType(started.events, "tool.requested")).toMatchObject([{ input: { at: 7 } }]);
    expect(ofType(started.events, "tool.denied")).toHaveLength(1);
    expect(notices(started)).toEqual([]);
    expect(started.result).toMatchObject({ stopReason: "natural", steps: 2, toolFailures: 1 });
  });

  test("that stay invalid JSON do not end the conversation", async () => {
    const started = await callOnce(id, { call: "look", with_text: "at A-1, please" });
    expect(ofType(started.events, "tool.requested")).toMatchObject([{ input: "at A-1, please" }]);
    expect(started.rehearsal.failures).toEqual([]);
    expect(started.result).toMatchObject({ stopReason: "natural", steps: 2, toolFailures: 1 });
  });
});

test("the tokens of a repair are counted with its step", async () => {
  const usage = { input: 100, output: 10 };
  const started = await callOnce(
    "anthropic",
    { call: "look", with: { at: 7 }, usage },
    { call: "look", with: { at: "A-1" }, usage },
  );
  expect(ofType(started.events, "step.finished")[0]?.usage).toMatchObject({ inputTokens: 200, outputTokens: 20 });
  expect(started.result.usage).toMatchObject({ inputTokens: 210, outputTokens: 25 });
});

test("a failed repair does not fail the run", async () => {
  const started = await callOnce("openai", { call: "look", with: { at: 7 } }, { status: 500 });
  expect(started.requestCount()).toBe(3);
  expect(started.result).toMatchObject({ stopReason: "natural", toolFailures: 1 });
});

test("a call to an unknown tool is not repaired", async () => {
  const started = await callOnce("anthropic", { call: "delete_all", with_text: "everything" });
  expect(started.requestCount()).toBe(2);
  expect(ofType(started.events, "tool.denied")).toHaveLength(1);
});

test("a call that was cut at the length limit is neither repaired nor executed", async () => {
  const started = await callOnce("anthropic", { call: "look", with_text: '{"at": "A', stop_reason: "max_tokens" });
  expect(started.requestCount()).toBe(1);
  expect(ofType(started.events, "tool.requested")).toEqual([]);
  expect(started.result).toMatchObject({ stopReason: "error", steps: 1, error: { code: "budget_exceeded" } });
});
