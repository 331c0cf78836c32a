import { expect, test } from "vitest";
import { caseLine } from "./case-line.ts";
import { sampleFailure, sampleTrial } from "./sample-for-tests.ts";

const failed = sampleTrial({ outcome: "failed", failures: [sampleFailure(), sampleFailure({ message: "Another." })] });

test("the line of a passed case has its name and its time", () => {
  expect(caseLine([sampleTrial()])).toEqual({ colour: "green", text: "✓ knows the opening hours (1.2 s)" });
});

test("the line of a failed case has the first reason and the number of other reasons", () => {
  expect(caseLine([failed])).toEqual({
    colour: "red",
    text: '✗ knows the opening hours (1.2 s): contains "closed": expected ≥ 1, got 0. (and 1 more)',
  });
});

test("several trials of a case are one line", () => {
  const { text } = caseLine([sampleTrial(), failed, sampleTrial()]);
  expect(text).toMatch(/^✗ knows the opening hours \(3\.7 s\): 2 of 3 trials passed; contains/);
  expect(caseLine([sampleTrial(), sampleTrial()]).text).toMatch(/2 of 2 trials passed$/);
});

test("a failure of the host has its own mark", () => {
  const failures = [sampleFailure({ kind: "backend", message: "The host is overloaded." })];
  const errored = sampleTrial({ outcome: "errored", failures });
  expect(caseLine([errored])).toMatchObject({
    colour: "yellow",
    text: expect.stringMatching(/^! .*\(1\.2 s\): The host is/),
  });
});

test("control characters are shown as escapes in a line", () => {
  const failures = [sampleFailure({ message: "\u001b[2Ja\nb" })];
  expect(caseLine([sampleTrial({ outcome: "failed", failures, case: "x\ny" })]).text).toBe(
    "✗ x y (1.2 s): \\u{1b}[2Ja b",
  );
});
