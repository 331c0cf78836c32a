import { expect, test } from "vitest";
import { parseInput, questionKeys } from "./question-keys.ts";

test("a rule that asks every time offers no answer that is remembered", () => {
  const keys = (everyTime: boolean) => questionKeys({ everyTime }).map(({ key }) => key);
  expect(keys(false)).toEqual(["y", "s", "p", "a", "n", "x"]);
  expect(keys(true)).toEqual(["y", "n", "x"]);
});

test("an edited input is JSON, or the person reads what is wrong with it", () => {
  expect(parseInput('{"amount": 12}')).toEqual({ input: { amount: 12 } });
  expect(parseInput('{"amount": }')).toEqual({ problem: expect.stringMatching(/^This is no JSON: /) });
});
