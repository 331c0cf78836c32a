import { expect, test } from "vitest";
import { samplePlan, sampleTrial } from "../test-report/sample-for-tests.ts";
import { boardLines } from "./board-lines.ts";
import { endTrial, startTally, startTrial } from "./tally.ts";

const paint = (_colour: string, text: string) => text;
const names = Array.from({ length: 12 }, (_, index) => `case ${index + 1} 漢字`);
const page = { width: 60, paint };

function running(count: number, trials = 1) {
  const begun = startTally(samplePlan({ cases: names, trials, parallel: 4 }), [], 0);
  return names.slice(0, count).reduce((tally, name) => startTrial(tally, { case: name, trial: 1, since: 0 }), begun);
}

test("each running case shows its time, and the last line shows the overall progress", () => {
  expect(boardLines(running(2), undefined, 3400, 20, page)).toEqual([
    "  case 1 漢字 3 s",
    "  case 2 漢字 3 s",
    "0 passed · 12 of 12 left · 3 s",
  ]);
});

test("trials are numbered", () => {
  expect(boardLines(running(1, 5), undefined, 0, 20, page)[0]).toBe("  case 1 漢字 (1 of 5) 0 s");
});

test("a test run of over ten seconds has an estimate", () => {
  const ended = (durationMs: number) => endTrial(running(0), sampleTrial({ case: "case 1 漢字", durationMs }));
  expect(boardLines(ended(2000), undefined, 2000, 20, page)).toEqual(["1 passed · 11 of 12 left · 2 s"]);
  expect(boardLines(ended(4000), undefined, 4000, 20, page)).toEqual([
    "1 passed · 11 of 12 left · 4 s, about 11 s left",
  ]);
});

test("no estimate is shown if every case has ended", () => {
  const ended = names.reduce(
    (tally, name) => endTrial(tally, sampleTrial({ case: name, durationMs: 4000 })),
    running(0),
  );
  expect(boardLines(ended, undefined, 12_000, 20, page)).toEqual(["12 passed · 0 of 12 left · 12 s"]);
});

test("the board never exceeds the rows or columns of the terminal", () => {
  const lines = boardLines(running(12), undefined, 0, 6, { width: 20, paint });
  expect(lines).toHaveLength(6);
  expect(lines[4]).toBe("  and 8 more");
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(20);
  expect(boardLines(running(12), undefined, 0, 1, { width: 20, paint }).length).toBeLessThanOrEqual(2);
});

test("a wait for a usage window shows the remaining time", () => {
  const [line] = boardLines(running(0), { until: 190_000 }, 10_000, 20, { width: 90, paint });
  expect(line).toBe("0 passed · 12 of 12 left · waiting for the usage limit, 3 min 0 s left");
});
