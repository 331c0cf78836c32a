import { expect, test } from "vitest";
import { effortIsHonoured, parseSettings, thinkingIsHonoured } from "./host-settings.ts";

test.each([
  ["claude-haiku-4-5", true, true],
  ["claude-sonnet-4-5-20250929", true, true],
  ["claude-sonnet-4-6", false, true],
  ["claude-sonnet-5", false, true],
  ["claude-sonnet-5-5", false, false],
  ["sonnet", false, false],
  ["a deployment", false, false],
])("%s honours a thinking budget: %s; can switch thinking off: %s", (model, budget, none) => {
  expect(thinkingIsHonoured(model, { budgetTokens: 2000 })).toBe(budget);
  expect(thinkingIsHonoured(model, false)).toBe(none);
  expect(effortIsHonoured(model)).toBe(!budget);
});

test.each([
  [{ workingDirectory: "inner" }, /^The setting workingDirectory is invalid: must be an absolute path\./],
  [{ agents: { helper: { description: "Helps." } } }, /^The setting agents\.helper\.prompt is invalid/],
  [{ settingSources: ["all"] }, /^The setting settingSources\.0 is invalid/],
  [{ fallbackMode: "haiku" }, /Did you mean "fallbackModel"\?/],
])("%j is refused with the name of the setting", (hostSettings, sentence) => {
  expect(() => parseSettings({ hostSettings })).toThrow(sentence);
});

test("a conversation without settings has none", () => {
  expect(parseSettings({})).toEqual({});
});
