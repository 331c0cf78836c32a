import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startTimer } from "./timer.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const month = 30 * 24 * 3600 * 1000;

test("a timer fires once, after its time", () => {
  const run = vi.fn();
  startTimer(50, run);
  vi.advanceTimersByTime(49);
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(month);
  expect(run).toHaveBeenCalledTimes(1);
});

test("a timer supports times that setTimeout cannot hold", () => {
  const run = vi.fn();
  startTimer(3 * month, run);
  vi.advanceTimersByTime(3 * month - 1);
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(run).toHaveBeenCalledTimes(1);
});

test("an infinite time never passes", () => {
  startTimer(Number.POSITIVE_INFINITY, () => {});
  expect(vi.getTimerCount()).toBe(0);
});

test("a timer can be cancelled, even in a later part of a long time", () => {
  const run = vi.fn();
  const callOff = startTimer(3 * month, run);
  vi.advanceTimersByTime(2 * month);
  callOff();
  vi.advanceTimersByTime(2 * month);
  expect(run).not.toHaveBeenCalled();
});
