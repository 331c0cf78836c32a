import { ConfigError } from "@bridle/protocol";
import { expect, test } from "vitest";
import { defineScript } from "./define.ts";

test("a script in code is the same as one from a file", () => {
  const script = defineScript({ rehearsal: 1, turns: [{ steps: [{ say: "Hello" }] }] });
  expect(script).toMatchObject({ file: "script", turns: [{ label: "turn 1", steps: [{ number: 1, times: 1 }] }] });
});

test("a problem in code is named by its path", () => {
  const define = () => defineScript({ rehearsal: 1, turns: [{ steps: [{}] }] }, "refund test");
  expect(define).toThrow(ConfigError);
  expect(define).toThrow(/^refund test\.turns\.0\.steps\.0: the step does nothing\./);
});

test("a fault at the end of a turn repeats without end, and before another step it happens once", () => {
  const script = defineScript({ rehearsal: 1, turns: [{ steps: [{ status: 500 }, { say: "a" }, { reset: true }] }] });
  expect(script.turns[0]?.steps.map(({ times }) => times)).toEqual([1, 1, Number.POSITIVE_INFINITY]);
});
