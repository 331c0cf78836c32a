import { expect, test } from "vitest";
import { parseInput, questionKeys } from "./question-keys.ts";

test("a rule that asks every time offers no answer that is remembered", () => {
  const keys = (everyTime: boolean) => questionKeys({ everyTime, problem: null }).map(({ key }) => key);
  expect(keys(false)).toEqual(["y", "s", "p", "a", "n", "x"]);
  expect(keys(true)).toEqual(["y", "n", "x"]);
});

test("an edited input is JSON, or the person reads what is wrong with it", () => {
  expect(parseInput('{"amount": 12}')).toEqual({ input: { amount: 12 } });
  expect(parseInput('{"amount": }')).toEqual({ problem: expect.stringMatching(/^This is not valid JSON: /) });
});

test("an answer that would run the original input is named so after an edit that did not fit", () => {
  const [first] = questionKeys({ everyTime: false, problem: "id: expected string" });
  expect([first?.key, first?.label, first?.answer]).toEqual([
    "y",
    "Yes, once, without the edit",
    { decision: "allow" },
  ]);
});
