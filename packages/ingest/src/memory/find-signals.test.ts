import { expect, test } from "vitest";
import { findMemorySignals } from "./find-signals.ts";

const signalsIn = (text: string) => findMemorySignals([{ role: "person", text }]);

test.each([
  "Please always remember that.",
  "Please remember this for next time.",
  "Remember that, please.",
  "Keep in mind what I said.",
  "Make a note, from now on: just that.",
  "From now on, please.",
])("a sentence that only asks to remember something is no fact: %s", (text) => {
  expect(signalsIn(text)).toEqual([]);
});

test.each([
  ["No, churn means 35 days without a pass.", "No, churn means 35 days without a pass."],
  ["Please always remember that test riders are left out.", "Test riders are left out."],
  ["Remember: the fiscal year starts in April.", "The fiscal year starts in April."],
])("a fact is found: %s", (text, fact) => {
  expect(signalsIn(text)).toEqual([fact]);
});
