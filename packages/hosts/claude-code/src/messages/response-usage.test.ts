import { expect, test } from "vitest";
import type { ClaudeAuthMode } from "../options.ts";
import { readUsage, responseCost } from "./response-usage.ts";

const million = {
  input_tokens: 1e6,
  output_tokens: 1e5,
  cache_read_input_tokens: 1e6,
  cache_creation_input_tokens: 1e5,
};
const hourly = { ...million, cache_creation: { ephemeral_1h_input_tokens: 1e5 } };
const short = { ...million, cache_creation: { ephemeral_1h_input_tokens: 0 } };

test.each<[string, object, string, ClaudeAuthMode, number | undefined]>([
  ["with cache writes for an hour", hourly, "claude-sonnet-5-5", "api_key", 2 + 1 + 0.1 + 0.4],
  ["with cache writes for five minutes", short, "claude-sonnet-5-5", "api_key", 2 + 1 + 0.1 + 0.25],
  ["with cache writes of an unknown lifetime", million, "claude-sonnet-5-5", "api_key", undefined],
  ["of a model without a price", short, "claude-sonnet-99", "api_key", undefined],
  ["on a cloud, which sets its own prices", short, "claude-sonnet-5-5", "bedrock", undefined],
])("a response %s has its list price or none", (_what, wire, model, auth, usd) => {
  const cost = responseCost(readUsage(wire), model, auth);
  if (usd === undefined) expect(cost).toBeUndefined();
  else expect(cost).toEqual({ usd: expect.closeTo(usd, 9), estimate: false });
});

test("on a subscription the list price is an estimate", () => {
  expect(responseCost(readUsage(short), "claude-sonnet-5-5", "session")?.estimate).toBe(true);
});

test("the last report of a response counts, and its missing or empty fields keep earlier values", () => {
  const first = readUsage({ ...hourly, output_tokens: 1 });
  expect(readUsage({ output_tokens: 50, input_tokens: 0 }, first)).toEqual({
    usage: { inputTokens: 1e6, outputTokens: 50, cacheReadTokens: 1e6, cacheWriteTokens: 1e5 },
    hourlyWrites: 1e5,
  });
  expect(readUsage(null, first)).toEqual(first);
});
