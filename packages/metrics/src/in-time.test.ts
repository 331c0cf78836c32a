import { expect, test } from "vitest";
import { inTime } from "./in-time.ts";

test("what is done in time is returned, and what is thrown is thrown", () => {
  expect(inTime(() => [1], 1000)).toEqual({ value: [1] });
  expect(inTime(() => undefined, 1000)).toEqual({ value: undefined });
  const refuse = () => {
    throw new RangeError("too far");
  };
  expect(() => inTime(refuse, 1000)).toThrow(RangeError);
});

test("what takes longer is stopped, and the next is done as before", () => {
  let turns = 0;
  const forEver = () => {
    for (;;) turns += 1;
  };
  expect(inTime(forEver, 20)).toBeUndefined();
  expect(turns).toBeGreaterThan(0);
  expect(inTime(() => turns > 0, 1000)).toEqual({ value: true });
});
