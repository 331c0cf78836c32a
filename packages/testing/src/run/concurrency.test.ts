import { expect, test } from "vitest";
import { concurrencyOf } from "./concurrency.ts";

const positions = { "llm.limits.maxConcurrency": { file: "bridle.yaml", line: 3 } };

test("the account has room for all trials that run at a time, where nobody says otherwise", () => {
  expect(concurrencyOf(8, { limits: {}, positions: {} })).toEqual({ maxConcurrency: 8, warnings: [] });
});

test("a limit that was set holds, and a warning tells that it is what slows the tests down", () => {
  expect(concurrencyOf(8, { limits: { maxConcurrency: 12 }, positions })).toEqual({ maxConcurrency: 12, warnings: [] });
  const { maxConcurrency, warnings } = concurrencyOf(8, { limits: { maxConcurrency: 2 }, positions });
  expect(maxConcurrency).toBe(2);
  expect(warnings).toEqual([
    "llm.limits.maxConcurrency (bridle.yaml:3) is 2, so 2 runs go on at a time, though 8 trials may. Raise it, or test fewer at a time.",
  ]);
  expect(concurrencyOf(8, { limits: { maxConcurrency: 1 }, positions: {} }).warnings).toEqual([
    "limits.maxConcurrency is 1, so one run goes on at a time, though 8 trials may. Raise it, or test fewer at a time.",
  ]);
});
