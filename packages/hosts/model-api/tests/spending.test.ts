import { UnsupportedFeatureError } from "@bridle/protocol";
import { describe, expect, test } from "vitest";
import { modelApiIds } from "../src/settings/options.ts";
import { failureOf, ofType, stageSteps } from "./runs.ts";
import { modelOf } from "./stage.ts";

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

describe.each(modelApiIds)("on %s", (id) => {
  test("tokens of a cache are counted apart from those of the prompt, and each token once", async () => {
    const { runtime, events } = await stageSteps(id, [{ say: "fine", usage }]);
    await runtime.generateText({ prompt });
    const used = {
      inputTokens: 1_000_000,
      outputTokens: 100_000,
      cacheReadTokens: 200_000,
      cacheWriteTokens: 100_000,
    };
    expect(ofType(events, "step.finished")[0]?.usage).toEqual(used);
    expect(ofType(events, "usage.reported")[0]?.usage).toEqual(used);
  });

  test("a price of the options is asked for each kind of token once", async () => {
    const prices = { [modelOf[id]]: { input: 1, output: 10, cacheRead: 100, cacheWrite: 1000, cacheWrite1h: 1e6 } };
    const { runtime } = await stageSteps(id, [{ say: "fine", usage }], { prices });
    expect((await runtime.generateText({ prompt })).cost?.usd).toBeCloseTo(1 + 1 + 20 + 100, 6);
  });

  test("reasoning is a part of the output, and not counted again", async () => {
    const { runtime } = await stageSteps(id, [{ say: "fine", usage: { input: 10, output: 50, reasoning: 20 } }]);
    expect((await runtime.generateText({ prompt })).usage).toMatchObject({ inputTokens: 10, outputTokens: 50 });
  });
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

test("a budget in dollars that the gateway gives no figures for ends the turn before more is spent", async () => {
  const { runtime, asked } = await stageSteps("gateway", [{ call: "nothing", usage, forever: true }]);
  const { error } = await runtime.runAgentLoop({ prompt, tools: [], stepBudget: 9, maxCostUsd: 3 }).result;
  expect(error).toMatchObject({ code: "unsupported_feature", message: expect.stringContaining("maxTotalTokens") });
  expect(asked()).toBe(1);
});

test("a budget in dollars is refused where nobody knows what the model costs, before anything is sent", async () => {
  const { runtime, asked } = await stageSteps("openai-compatible", [{ say: "fine" }]);
  const { error } = await runtime.runAgentLoop({ prompt, tools: [], stepBudget: 1, maxCostUsd: 3 }).result;
  expect(error).toBeInstanceOf(UnsupportedFeatureError);
  expect(error).toHaveProperty("message", expect.stringContaining("maxTotalTokens"));
  expect(asked()).toBe(0);
});
