import { expect, test } from "vitest";
import { describeUntested } from "./describe-untested.ts";

test("an agent without test cases is said to have none only once it is known", () => {
  expect([undefined, 0, 1, 5].map(describeUntested)).toEqual([
    "\u00a0",
    "It has no test cases.",
    "1 test case, not run yet.",
    "5 test cases, not run yet.",
  ]);
});
