import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CalledClock, CalledClocks } from "./called-clock.ts";
import { createRunClock, type RunClock } from "./run-clock.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Starts a clock with a limit of 100 ms, and reports whether its time is over. */
function startCaller() {
  const onOver = vi.fn();
  const clock = createRunClock(100, onOver);
  clock.go();
  const isOverAfter = (ms: number) => {
    vi.advanceTimersByTime(ms);
    return onOver.mock.calls.length > 0;
  };
  return { called: new CalledClocks(clock), isOverAfter };
}

const below = (caller: CalledClocks): RunClock =>
  new CalledClock(
    createRunClock(undefined, () => {}),
    caller,
  );

test("the clock of a caller stops while its only nested run waits, and runs with it or after it", () => {
  const { called, isOverAfter } = startCaller();
  const nested = below(called);
  expect(isOverAfter(500)).toBe(false);
  nested.go();
  expect(isOverAfter(60)).toBe(false);
  nested.pause();
  expect(isOverAfter(500)).toBe(false);
  nested.end();
  nested.pause();
  expect(isOverAfter(50)).toBe(true);
});

test("the clock of a caller runs while one of its nested runs works and another one waits", () => {
  const { called, isOverAfter } = startCaller();
  const [works, waits] = [below(called), below(called)];
  works.go();
  expect(isOverAfter(50)).toBe(false);
  works.end();
  expect(isOverAfter(500)).toBe(false);
  waits.go();
  expect(isOverAfter(60)).toBe(true);
});

test("a run whose nested runs all wait is a run that waits for its own caller", () => {
  const { called, isOverAfter } = startCaller();
  const second = new CalledClock(
    createRunClock(undefined, () => {}),
    called,
  );
  second.go();
  const third = below(new CalledClocks(second));
  expect(isOverAfter(500)).toBe(false);
  third.go();
  expect(isOverAfter(120)).toBe(true);
});
