import { StoppedError, TimeoutError } from "@bridle/protocol";
import { expect, test, vi } from "vitest";
import { StatementEnd } from "./statement-end.ts";

test("a statement whose caller aborts it is stopped by the signal", () => {
  const caller = new AbortController();
  const onEnd = vi.fn();
  const end = new StatementEnd({ signal: caller.signal, timeoutMs: 5_000 }, onEnd);
  expect([end.signal.aborted, end.reason("cause")]).toEqual([false, undefined]);
  caller.abort();
  expect([end.signal.aborted, onEnd.mock.calls.length]).toEqual([true, 1]);
  expect(end.reason("cause")).toBeInstanceOf(StoppedError);
  expect(end.reason("cause")).toMatchObject({ by: "signal", cause: "cause" });
  end.dispose();
});

test("a statement ends two seconds after its limit, so that the server can end it by itself", () => {
  vi.useFakeTimers();
  try {
    const onEnd = vi.fn();
    const end = new StatementEnd({ timeoutMs: 5_000 }, onEnd);
    vi.advanceTimersByTime(6_999);
    expect([end.signal.aborted, onEnd.mock.calls.length]).toEqual([false, 0]);
    vi.advanceTimersByTime(1);
    expect([end.signal.aborted, onEnd.mock.calls.length]).toEqual([true, 1]);
    expect(end.reason()).toBeInstanceOf(TimeoutError);
  } finally {
    vi.useRealTimers();
  }
});

test("a statement that is disposed of ends its requests for no reason, and hears of nothing any more", () => {
  vi.useFakeTimers();
  try {
    const caller = new AbortController();
    const onEnd = vi.fn();
    const end = new StatementEnd({ signal: caller.signal, timeoutMs: 5_000 }, onEnd);
    end.dispose();
    expect([end.signal.aborted, end.reason()]).toEqual([true, undefined]);
    vi.advanceTimersByTime(10_000);
    caller.abort();
    expect(onEnd).not.toHaveBeenCalled();
    expect(end.reason()).toBeInstanceOf(StoppedError);
  } finally {
    vi.useRealTimers();
  }
});
