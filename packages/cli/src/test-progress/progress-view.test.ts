import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Output } from "../command/cli.ts";
import { sampleFailure, samplePlan, sampleTrial } from "../test-report/sample-for-tests.ts";
import { ProgressView } from "./progress-view.ts";

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

const plan = samplePlan({ cases: ["one", "two"] });
const begun = { type: "begun", id: "i", plan, finished: [], warnings: [] } as const;

function open(size: Partial<Output> = {}, environment: Record<string, string> = {}) {
  const written: string[] = [];
  const stderr = {
    write: (text: string) => void written.push(text),
    isTTY: size.isTTY ?? false,
    get columns() {
      return size.columns;
    },
  };
  const view = new ProgressView({ stderr, environment, now: () => Date.now() });
  return {
    onProgress: view.onProgress,
    close: () => view.close(),
    shown: () => written.join(""),
    last: () => written.at(-1),
  };
}
const terminal = { isTTY: true, columns: 60, rows: 24 };

test("without a terminal each case is one line when it ends", () => {
  const { onProgress, close, shown } = open();
  onProgress(begun);
  onProgress({ type: "trial.started", case: "two", trial: 1 });
  vi.advanceTimersByTime(5000);
  onProgress({ type: "trial.finished", result: sampleTrial({ case: "two" }) });
  close();
  expect(shown()).toBe("✓ two (1.2 s)\n");
});

test("warnings come first, then the number of trials that ran before", () => {
  const { onProgress, shown } = open();
  onProgress({ ...begun, finished: [sampleTrial({ case: "one" })], warnings: ["The model judges itself."] });
  expect(shown()).toBe("Warning: The model judges itself.\n1 trial ran before. They do not run again.\n");
});

test("a resumed run without remaining trials reports that all trials are finished", () => {
  const { onProgress, shown } = open();
  onProgress({ ...begun, finished: begun.plan.cases.map((name) => sampleTrial({ case: name })) });
  expect(shown()).toBe(`${begun.plan.cases.length} trials ran before. All trials are finished.\n`);
});

test("a terminal shows running cases with their time below the finished ones", () => {
  const { onProgress, close, last } = open(terminal, { NO_COLOR: "1" });
  onProgress(begun);
  onProgress({ type: "trial.started", case: "two", trial: 1 });
  vi.advanceTimersByTime(2000);
  expect(last()).toBe("\u001b[1A\r  two 2 s\u001b[K\n0 passed · 2 of 2 left · 2 s\u001b[K\u001b[J");
  const failures = [sampleFailure({ message: `${"long ".repeat(20)}reason` })];
  onProgress({ type: "trial.finished", result: sampleTrial({ case: "two", outcome: "failed", failures }) });
  const line = `✗ two (1.2 s): ${"long ".repeat(8)}lon…`;
  expect(last()).toBe(`\u001b[1A\r${line}\u001b[K\n0 passed · 1 failed · 1 of 2 left · 2 s\u001b[K\u001b[J`);
  close();
  expect(last()).toBe("\r\u001b[K");
});

test("lines that a narrower terminal has wrapped are erased whole", () => {
  const size = { ...terminal };
  const { onProgress, last } = open(size, { NO_COLOR: "1" });
  onProgress(begun);
  size.columns = 20;
  vi.advanceTimersByTime(1000);
  expect(last()).toBe("\u001b[1A\r0 passed · 2 of…\u001b[K\u001b[J"); // 34 characters took two rows
});

test("a dumb terminal gets one line for each case", () => {
  const { onProgress, shown } = open(terminal, { TERM: "dumb" });
  onProgress(begun);
  vi.advanceTimersByTime(3000);
  onProgress({ type: "trial.finished", result: sampleTrial({ case: "two" }) });
  expect(shown()).toBe("✓ two (1.2 s)\n");
});

test("a wait for a usage window is shown, with the remaining time on a terminal", () => {
  const { onProgress, shown, last } = open(terminal, { NO_COLOR: "1" });
  onProgress(begun);
  onProgress({ type: "waiting", until: 60_000, message: "The usage window is used up." });
  expect(shown()).toContain("\r! The usage window is used up.\u001b[K\n");
  vi.advanceTimersByTime(2000);
  expect(last()).toContain(" left · waiting for the usage limit, 58…");
  vi.advanceTimersByTime(60_000);
  expect(last()).toMatch(/ left · 1 min 2 s/);
});

test("several trials of a case are one line, after the last trial", () => {
  const { onProgress, shown } = open();
  onProgress({ ...begun, plan: { ...plan, trials: 2 } });
  onProgress({ type: "trial.finished", result: sampleTrial({ case: "one", trial: 2 }) });
  expect(shown()).toBe("");
  onProgress({ type: "trial.finished", result: sampleTrial({ case: "one", trial: 1 }) });
  expect(shown()).toBe("✓ one (2.5 s): 2 of 2 trials passed\n");
});
