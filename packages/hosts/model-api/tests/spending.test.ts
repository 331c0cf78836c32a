import { UnsupportedFeatureError } from "@bridle/protocol";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { modelApiIds } from "../src/settings/options.ts";
import { modelOf } from "./test-backend.ts";
import { ofType, rejectionOf, startSteps } from "./test-runtime.ts";

const prompt = "go";
const usage = { input: 1_000_000, output: 100_000, cache_read: 200_000, cache_write: 100_000 };

test("a run reports its cost, with cached tokens at their own prices", async () => {
  const { runtime } = await startSteps("anthropic", [{ say: "fine", usage }]);
  const { cost, usage: used } = await runtime.generateText({ prompt });
  expect(used).toEqual({
    inputTokens: 1_000_000,
    outputTokens: 100_000,
    cacheReadTokens: 200_000,
    cacheWriteTokens: 100_000,
  });
  expect(cost?.estimate).toBe(false);
  expect(cost?.usd).toBeCloseTo(2 + 1 + 0.02 + 0.25, 6); // Sonnet 5.5: 2, 10, 0.10 and 2.50 dollars a million
});

describe.each(modelApiIds)("on %s", (id) => {
  test("cached tokens and prompt tokens are counted separately, each token once", async () => {
    const { runtime, events } = await startSteps(id, [{ say: "fine", usage }]);
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

  test("a step has the reason why its response ended", async () => {
    const { runtime, events } = await startSteps(id, [{ say: "fine" }]);
    await runtime.generateText({ prompt });
    expect(ofType(events, "step.finished")[0]?.finishReason).toMatch(/^(stop|end_turn|completed)$/);
  });

  test("a price of the options applies to each kind of token once", async () => {
    const prices = { [modelOf[id]]: { input: 1, output: 10, cacheRead: 100, cacheWrite: 1000, cacheWrite1h: 1e6 } };
    const { runtime } = await startSteps(id, [{ say: "fine", usage }], { prices });
    expect((await runtime.generateText({ prompt })).cost?.usd).toBeCloseTo(1 + 1 + 20 + 100, 6);
  });

  test("reasoning is part of the output, and is not counted again", async () => {
    const { runtime } = await startSteps(id, [{ say: "fine", usage: { input: 10, output: 50, reasoning: 20 } }]);
    expect((await runtime.generateText({ prompt })).usage).toMatchObject({ inputTokens: 10, outputTokens: 50 });
  });
});

test("cache writes for an hour cost the price for an hour", async () => {
  const promptCaching = { systemTtl: "1h", toolsTtl: "1h", historyTtl: "1h" } as const;
  const { runtime } = await startSteps("anthropic", [{ say: "fine", usage }], {}, { promptCaching });
  expect((await runtime.generateText({ prompt })).cost?.usd).toBeCloseTo(2 + 1 + 0.02 + 0.4, 6);
});

test("a price of the options overrides the table", async () => {
  const prices = { "claude-sonnet-5-5": { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 } };
  const { runtime } = await startSteps("anthropic", [{ say: "fine", usage }], { prices });
  expect((await runtime.generateText({ prompt })).cost?.usd).toBeCloseTo(1.1, 6);
});

test.each(["vertex", "bedrock", "gateway", "openai-compatible"] as const)(
  "without a price, %s reports tokens but no cost",
  async (id) => {
    const { runtime } = await startSteps(id, [{ say: "fine", usage }]);
    const { cost, usage: used } = await runtime.generateText({ prompt });
    expect(cost).toBeUndefined();
    expect(used.outputTokens).toBe(100_000);
  },
);

test("each turn is reported once, as the sum of its steps", async () => {
  const { runtime, events } = await startSteps("openai", [
    { call: "nothing", usage: { input: 10, output: 1 } },
    { say: "done", usage: { input: 20, output: 2 } },
  ]);
  await runtime.runAgentLoop({ prompt, tools: [], stepBudget: 3 }).result;
  expect(ofType(events, "usage.reported")).toMatchObject([{ usage: { inputTokens: 30, outputTokens: 3 } }]);
});

test("the cost of an answer that ends in an error is reported", async () => {
  const { runtime, events } = await startSteps("anthropic", [{ say: "No.", stop_reason: "refusal", usage }]);
  await rejectionOf(runtime.generateText({ prompt }));
  expect(ofType(events, "usage.reported")).toMatchObject([{ usage: { outputTokens: 100_000 }, cost: { usd: 3.27 } }]);
});

test("a budget in dollars ends a turn before its tools and its next step", async () => {
  const { runtime, requestCount } = await startSteps("anthropic", [{ call: "nothing", usage, forever: true }]);
  const run = runtime.runAgentLoop({ prompt, tools: [], stepBudget: 9, maxCostUsd: 3 });
  expect(await run.result).toMatchObject({ stopReason: "budget", steps: 1, toolCalls: 0 });
  expect(requestCount()).toBe(1);
});

test("a budget in dollars ends the turn if the gateway reports no cost", async () => {
  const { runtime, requestCount } = await startSteps("gateway", [{ call: "nothing", usage, forever: true }]);
  const { error } = await runtime.runAgentLoop({ prompt, tools: [], stepBudget: 9, maxCostUsd: 3 }).result;
  expect(error).toMatchObject({ code: "unsupported_feature", message: expect.stringContaining("maxTotalTokens") });
  expect(requestCount()).toBe(1);
});

test("a budget in dollars is refused before the first request if the price of the model is unknown", async () => {
  const { runtime, requestCount } = await startSteps("openai-compatible", [{ say: "fine" }]);
  const { error } = await runtime.runAgentLoop({ prompt, tools: [], stepBudget: 1, maxCostUsd: 3 }).result;
  expect(error).toBeInstanceOf(UnsupportedFeatureError);
  expect(error).toHaveProperty("message", expect.stringContaining("maxTotalTokens"));
  expect(requestCount()).toBe(0);
});

test.each(["anthropic", "openai"] as const)("on %s a step has the cost of its response", async (id) => {
  const { runtime, events } = await startSteps(id, [{ say: "fine", usage: { input: 1_000_000, output: 100_000 } }]);
  const { cost } = await runtime.generateText({ prompt });
  expect(cost?.usd).toBeGreaterThan(0);
  expect(ofType(events, "step.finished")[0]?.cost).toEqual(cost);
});

describe.each(modelApiIds)("a response of %s that breaks off and is repeated", (id) => {
  const prices = { [modelOf[id]]: { input: 1, output: 10, cacheRead: 1, cacheWrite: 1, cacheWrite1h: 1 } };
  const used = { input: 1_000_000, output: 100_000 };
  const reportsAtTheStart = ["anthropic", "vertex", "bedrock"].includes(id);

  test.each([true, false])("makes the cost a part of what is paid (text is held for an object: %s)", async (held) => {
    const broken = { say: '{"total": 1', cut: true, chunk_ms: 20, usage: used };
    const { runtime } = await startSteps(id, [broken, { say: '{"total": 9}', usage: used }], { prices });
    const run = held
      ? runtime.generateObject({ prompt, schema: z.object({ total: z.number() }) })
      : runtime.generateText({ prompt });
    const { cost, usage: counted } = await run;
    expect(counted.inputTokens).toBe(reportsAtTheStart ? 2_000_000 : 1_000_000);
    expect(cost).toEqual({ usd: expect.closeTo(reportsAtTheStart ? 3 : 2, 3), estimate: false, partial: true });
  });
});
