import { expect, test } from "vitest";
import { anthropicPrices, costAtPrices, openaiPrices, type PricedUsage, priceOf } from "./prices.ts";

const none: PricedUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  cacheWrite1hTokens: 0,
};
const price = (model: string) =>
  priceOf(model, { ...anthropicPrices, ...openaiPrices }) ?? { input: Number.NaN, output: 0 };

test("each kind of token has its price", () => {
  const usage = { ...none, inputTokens: 1e6, outputTokens: 1e6, cacheReadTokens: 1e6 };
  expect(costAtPrices(usage, price("claude-opus-5-5"))).toBeCloseTo(4 + 20 + 0.2, 9);
  const written = { ...none, cacheWriteTokens: 2e6, cacheWrite1hTokens: 1e6 };
  expect(costAtPrices(written, price("claude-opus-5-5"))).toBeCloseTo(5 + 8, 9);
});

test("a long prompt, cached tokens included, changes the prices of the whole request", () => {
  const short = { ...none, inputTokens: 60_000, cacheReadTokens: 40_000, outputTokens: 1e6 };
  const long = { ...short, inputTokens: 60_001 };
  expect(costAtPrices(short, price("claude-haiku-5-5"))).toBeCloseTo(0.006 + 0.0004 + 0.5, 9);
  expect(costAtPrices(long, price("claude-haiku-5-5"))).toBeCloseTo(0.0300005 + 0.002 + 2.5, 9);
  expect(costAtPrices({ ...none, inputTokens: 1e6 }, price("gpt-6-sol"))).toBeCloseTo(4, 9);
});

test("a kind of token without a price makes the cost unknown, not small", () => {
  expect(costAtPrices({ ...none, cacheWriteTokens: 1 }, price("gpt-6-astra"))).toBeUndefined();
  expect(costAtPrices({ ...none, outputTokens: 1e6 }, price("gpt-6-astra"))).toBeCloseTo(50, 9);
});

test("a dated id has the price of its model, and an unknown id has no price", () => {
  expect(priceOf("claude-haiku-4-5-20251001", anthropicPrices)).toBe(anthropicPrices["claude-haiku-4-5"]);
  expect(priceOf("gpt-6-sol-2026-09-22", openaiPrices)).toBe(openaiPrices["gpt-6-sol"]);
  for (const id of ["claude-opus-9", "toString", ""]) expect(priceOf(id, anthropicPrices)).toBeUndefined();
});
