import { expect, test } from "vitest";
import { formatThreshold } from "./figures.ts";

test("a threshold says on which side a score has to be", () => {
  expect(formatThreshold({ threshold: 0.5, passes: "at-least", unit: null })).toBe("≥ 0.50");
  expect(formatThreshold({ threshold: 2, passes: "at-most", unit: "seconds" })).toBe("≤ 2.0 s");
});
