import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { passes } from "./passes.ts";

const fileSchema = z.strictObject({
  metric: z.string(),
  examples: z
    .array(
      z.strictObject({
        title: z.string(),
        source: z.string(),
        given: z.strictObject({ measured: z.number(), threshold: z.number() }),
        score: z.number(),
        passed: z.boolean(),
      }),
    )
    .min(12),
});

describe.each(["latency", "cost", "steps"])("an example of %s", (metric) => {
  const text = readFileSync(join(import.meta.dirname, "../../examples", `${metric}.json`), "utf8");
  test.each(fileSchema.parse(JSON.parse(text)).examples)("$title", ({ given, score, passed }) => {
    expect(score).toBe(given.measured);
    expect(passes(score, given.threshold, "at-most")).toBe(passed);
  });
});

test.each([
  [0.5, 0.5, true],
  [0.4999, 0.5, false],
  [0.5001, 0.5, true],
  [0, 0, true],
  [0, 0.1, false],
  [0.1 + 0.7, 0.8, true], // 0.7999999999999999 as a floating-point number
  [1, 1, true],
  [Number.NaN, 0, false],
])("a score of %d with at least %d passes: %s", (score, threshold, expected) => {
  expect(passes(score, threshold, "at-least")).toBe(expected);
});
