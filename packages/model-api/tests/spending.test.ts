import { UnsupportedFeatureError } from "@bridle/core";
import { expect, test } from "vitest";
import { failureOf, ofType, stageSteps } from "./runs.ts";

const prompt = "go";
const usage = { input: 1_000_000, output: 100_000, cache_read: 200_000, cache_write: 100_000 };

test("what a request cost is told, with caches at their own prices", async () => {
  const { runtime } = await stageSteps("anthropic", [{ say: "fine", usage }]);
  const { cost, usage: used } = await runtime.generateText({ prompt });
  expect(used).toEqual({
    inputTokens: 1_000_000,
    outputTokens: 100_000,
    cacheReadTokens: 200_000,
    cacheWriteTokens: 100_000,
  });
  expect(cost?.estimate).toBe(false);
  expect(cost?.usd).toBeCloseTo(2 + 1 + 0.02 + 0.25, 6); // Sonnet 5.5: 2, 10, 0.10 and 2.50 a million
});

test("what was written to a cache for an hour costs what an hour costs", async () => {
  const promptCaching = { systemTtl: "1h", toolsTtl: "1h", historyTtl: "1h" } as const;
  const { runtime } = await stageSteps("anthropic", [{ say: "fine", usage }], {}, { promptCaching });
  expect((await runtime.generateText({ prompt })).cost?.usd).toBeCloseTo(2 + 1 + 0.02 + 0.4, 6);
});

test("a price of the options goes before that of the table", async () => {
  const prices = { "claude-sonnet-5-5": { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 } };
  const { runtime } = await stageSteps("anthropic", [{ say: "fine", usage }], { prices });
  expect((await runtime.generateText({ prompt })).cost?.usd).toBeCloseTo(1.1, 6);
});

test.each(["vertex", "bedrock", "gateway", "openai-compatible"] as const)(
  "without a price %s tells tokens, and no cost",
  async (id) => {
    const { runtime } = await stageSteps(id, [{ say: "fine", usage }]);
    const { cost, usage: used } = await runtime.generateText({ prompt });
    expect(cost).toBeUndefined();
    expect(used.outputTokens).toBe(100_000);
  },
);

test("each turn is reported once, as the sum of its steps", async () => {
  const { runtime, events } = await stageSteps("openai", [
    { call: "nothing", usage: { input: 10, output: 1 } },
    { say: "done", usage: { input: 20, output: 2 } },
  ]);
  await runtime.runAgentLoop({ prompt, tools: [], stepBudget: 3 }).result;
  expect(ofType(events, "usage.reported")).toMatchObject([{ usage: { inputTokens: 30, outputTokens: 3 } }]);
});

test("an answer that ends in an error has been paid for, and is reported", async () => {
  const { runtime, events } = await stageSteps("anthropic", [{ say: "No.", stop_reason: "refusal", usage }]);
  await failureOf(runtime.generateText({ prompt }));
  expect(ofType(events, "usage.reported")).toMatchObject([{ usage: { outputTokens: 100_000 }, cost: { usd: 3.27 } }]);
});

test("a budget in dollars ends a turn before its next step, and before its tools", async () => {
  const { runtime, asked } = await stageSteps("anthropic", [{ call: "nothing", usage, forever: true }]);
  const run = runtime.runAgentLoop({ prompt, tools: [], stepBudget: 9, maxCostUsd: 3 });
  expect(await run.result).toMatchObject({ stopReason: "budget", steps: 1, toolCalls: 0 });
  expect(asked()).toBe(1);
});

test("a budget in dollars is refused where nobody knows what the model costs, before anything is sent", async () => {
  const { runtime, asked } = await stageSteps("openai-compatible", [{ say: "fine" }]);
  const { error } = await runtime.runAgentLoop({ prompt, tools: [], stepBudget: 1, maxCostUsd: 3 }).result;
  expect(error).toBeInstanceOf(UnsupportedFeatureError);
  expect(error).toHaveProperty("message", expect.stringContaining("maxTotalTokens"));
  expect(asked()).toBe(0);
});
