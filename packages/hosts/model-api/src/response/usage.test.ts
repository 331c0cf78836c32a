import { anthropicPrices } from "@bridle/host-shared";
import { expect, test } from "vitest";
import { messageStart, readFirstUsage, requestCost } from "./usage.ts";

const counted = {
  inputTokens: { total: 30, noCache: 10, cacheRead: 0, cacheWrite: 20 },
  outputTokens: { total: 0, text: undefined, reasoning: undefined },
};
const request = { usage: counted, models: ["claude-opus-5-5"], cacheTtl: undefined };

test("the cost of cache writes with mixed lifetimes is unknown unless the host reports each of them", () => {
  expect(requestCost(request, anthropicPrices)).toBeUndefined();
  const raw = { cache_creation: { ephemeral_5m_input_tokens: 5, ephemeral_1h_input_tokens: 15 } };
  const cost = requestCost({ ...request, usage: { ...counted, raw } }, anthropicPrices);
  expect(cost).toBeCloseTo((10 * 4 + 5 * 5 + 15 * 8) / 1e6, 12);
});

test.each([null, "", "soon", "-1", -1, Number.NaN])("a gateway cost of %j is ignored", (cost) => {
  expect(requestCost({ ...request, providerMetadata: { gateway: { cost } } }, {})).toBeUndefined();
});

test("a request costs what the gateway reports", () => {
  expect(requestCost({ ...request, providerMetadata: { gateway: { cost: "0.0125" } } }, {})).toBe(0.0125);
});

test("the tokens that the beginning of an answer reports are read, with lifetimes of cache writes", () => {
  const usage = { input_tokens: 10, output_tokens: 1, cache_creation_input_tokens: 20, cache_creation: { a: 1 } };
  const providerMetadata = { anthropic: { usage } };
  expect(readFirstUsage({ type: "custom", kind: messageStart, providerMetadata })).toEqual({
    inputTokens: { total: 30, noCache: 10, cacheRead: 0, cacheWrite: 20 },
    outputTokens: { total: 1, text: undefined, reasoning: undefined },
    raw: { ...usage, cache_read_input_tokens: 0 },
  });
  expect(readFirstUsage({ type: "custom", kind: "anthropic.fallback", providerMetadata })).toBeUndefined();
  expect(readFirstUsage({ type: "custom", kind: messageStart, providerMetadata: {} })).toBeUndefined();
});
