import { expect, test } from "vitest";
import { concurrencyOf } from "./concurrency.ts";

const positions = { "llm.limits.maxConcurrency": { file: "bridle.yaml", line: 3 } };

test("by default the account has a slot for every parallel trial", () => {
  expect(concurrencyOf(8, { limits: {}, positions: {} })).toEqual({ maxConcurrency: 8, warnings: [] });
});

test("a configured limit applies, and a warning says that it slows the tests down", () => {
  expect(concurrencyOf(8, { limits: { maxConcurrency: 12 }, positions })).toEqual({ maxConcurrency: 12, warnings: [] });
  const { maxConcurrency, warnings } = concurrencyOf(8, { limits: { maxConcurrency: 2 }, positions });
  expect(maxConcurrency).toBe(2);
  expect(warnings).toEqual([
    "llm.limits.maxConcurrency (bridle.yaml:3) is 2, so 2 runs are active at a time, not 8. Raise it, or set a lower number of parallel trials.",
  ]);
  expect(concurrencyOf(8, { limits: { maxConcurrency: 1 }, positions: {} }).warnings).toEqual([
    "limits.maxConcurrency is 1, so one run is active at a time, not 8. Raise it, or set a lower number of parallel trials.",
  ]);
});
