import { ConfigError } from "@bridle/protocol";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { requireIdleTimeout, SilenceWatch } from "./silence-watch.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Creates a watch that allows 100 ms of silence. */
function begin() {
  const onSilence = vi.fn();
  const watch = new SilenceWatch(100, onSilence);
  return { watch, isOver: () => onSilence.mock.calls.length > 0, pass: (ms: number) => vi.advanceTimersByTime(ms) };
}

test("a turn fails if the host never sends a message", () => {
  const { pass, isOver } = begin();
  pass(99);
  expect(isOver()).toBe(false);
  pass(1);
  expect(isOver()).toBe(true);
});

test("each message restarts the time", () => {
  const { watch, pass, isOver } = begin();
  for (let word = 0; word < 10; word++) {
    pass(90);
    watch.restart();
  }
  expect(isOver()).toBe(false);
  pass(100);
  expect(isOver()).toBe(true);
});

test("a pause that the host announced does not count", () => {
  const { watch, pass, isOver } = begin();
  watch.restart(1000);
  pass(1099);
  expect(isOver()).toBe(false);
  pass(1);
  expect(isOver()).toBe(true);
});

test("time does not count while the host waits for a call", () => {
  const { watch, pass, isOver } = begin();
  watch.hold("first");
  watch.hold("second");
  pass(1000);
  watch.release("first");
  watch.release("first");
  watch.restart();
  pass(1000);
  expect(isOver()).toBe(false);
  watch.release("second");
  pass(100);
  expect(isOver()).toBe(true);
});

test("a stopped watch never fires, even if a held call is released", () => {
  const { watch, pass, isOver } = begin();
  watch.hold("first");
  watch.stop();
  watch.release("first");
  watch.restart();
  pass(1000);
  expect(isOver()).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});

test.each([0, -1, 1.5, Number.NaN])("a silence of %d is a ConfigError that names the setting", (idleTimeoutMs) => {
  expect(() => requireIdleTimeout(idleTimeoutMs)).toThrow(ConfigError);
  expect(() => requireIdleTimeout(idleTimeoutMs)).toThrow("llm.provider.idleTimeoutMs");
});
