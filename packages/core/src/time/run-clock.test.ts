import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createRunClock } from "./run-clock.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a clock counts only while it runs", () => {
  const over = vi.fn();
  const clock = createRunClock(100, over);
  vi.advanceTimersByTime(1000);
  clock.go();
  vi.advanceTimersByTime(60);
  clock.pause();
  vi.advanceTimersByTime(1000);
  clock.go();
  vi.advanceTimersByTime(39);
  expect(over).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(over.mock.calls).toEqual([[100]]);
});

test("starting or pausing twice has the effect of once", () => {
  const over = vi.fn();
  const clock = createRunClock(100, over);
  clock.pause();
  clock.go();
  clock.go();
  vi.advanceTimersByTime(50);
  clock.pause();
  clock.pause();
  clock.go();
  vi.advanceTimersByTime(1000);
  expect(over).toHaveBeenCalledTimes(1);
});

test("a clock without a time never ends, and sets no timer", () => {
  createRunClock(undefined, () => expect.unreachable()).go();
  expect(vi.getTimerCount()).toBe(0);
});
