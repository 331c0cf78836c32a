import fc from "fast-check";
import { expect, test } from "vitest";
import { formatScore as formatInReports } from "../../../testing/src/report/numbers.ts";
import { formatScore } from "./format-score.ts";

const score = fc.oneof(fc.constantFrom(null, 0, 1, 0.9996, 0.00004), fc.double({ min: 0, max: 5000, noNaN: true }));
const unit = fc.constantFrom(null, "seconds", "usd", "steps", "apples");

test("a score looks the same on the page as in the reports and in the command", () => {
  fc.assert(
    fc.property(score, unit, (value, of) => {
      expect(formatScore(value, of)).toBe(formatInReports(value, of));
    }),
  );
});
