import { getHeapStatistics } from "node:v8";
import { expect, test } from "vitest";
import { runInTime } from "./run-in-time.ts";

test("a function that ends in time returns its value or throws its error", () => {
  expect(runInTime(() => [1], 1000)).toEqual({ value: [1] });
  expect(runInTime(() => undefined, 1000)).toEqual({ value: undefined });
  const refuse = () => {
    throw new RangeError("too far");
  };
  expect(() => runInTime(refuse, 1000)).toThrow(RangeError);
});

test("a function that takes longer is aborted, and the next one runs as before", () => {
  let turns = 0;
  const forEver = () => {
    for (;;) turns += 1;
  };
  expect(runInTime(forEver, 20)).toBeUndefined();
  expect(turns).toBeGreaterThan(0);
  expect(runInTime(() => turns > 0, 1000)).toEqual({ value: true });
});

test("all functions and expressions share one context, also after one was aborted", () => {
  expect(runInTime(() => 1, 1000)).toEqual({ value: 1 });
  const contexts = () => getHeapStatistics().number_of_native_contexts;
  const before = contexts();
  for (let count = 0; count < 50; count += 1) {
    const expression = new RegExp(`x{${count}}$`);
    expect(runInTime(() => expression.test("x".repeat(count)), 1000)).toEqual({ value: true });
    expect(runInTime(() => runInTime(() => count, 1000)?.value, 1000)).toEqual({ value: count });
  }
  const forEver = () => {
    for (;;);
  };
  for (let count = 0; count < 3; count += 1) expect(runInTime(forEver, 5)).toBeUndefined();
  expect(contexts()).toBeLessThanOrEqual(before);
});
