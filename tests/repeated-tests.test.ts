/** Checks that `npm test` runs a failed file once more, alone. */
import { expect, test } from "vitest";
import { countTests, filesToRepeat, type TestReport, unsteadyTests, withRepeated } from "../scripts/test-report.ts";

const file = (name: string, statuses: Record<string, string>, status?: string) => ({
  name,
  status: status ?? (Object.values(statuses).includes("failed") ? "failed" : "passed"),
  assertionResults: Object.entries(statuses).map(([fullName, each]) => ({ fullName, status: each })),
});
const report = (...testResults: TestReport["testResults"]): TestReport => ({ testResults });

const first = report(file("a", { one: "passed", two: "failed", three: "failed" }), file("b", { one: "passed" }));
const second = report(file("a", { one: "passed", two: "passed", three: "failed" }));

test("a test that fails twice is a failure, and one that passes the second time is named", () => {
  expect(filesToRepeat(first)).toEqual(["a"]);
  expect(unsteadyTests(first, second)).toEqual(["a: two"]);
  expect(countTests(withRepeated(first, second))).toEqual({ passed: 3, failed: 1 });
});

test("a file that cannot be loaded is a failure, also the second time", () => {
  const broken = report(file("a", {}, "failed"));
  expect(filesToRepeat(broken)).toEqual(["a"]);
  expect(countTests(withRepeated(broken, broken))).toEqual({ passed: 0, failed: 1 });
});

test("nothing is repeated if many files fail", () => {
  const names = ["a", "b", "c", "d", "e", "f"];
  expect(filesToRepeat(report(...names.map((name) => file(name, { one: "failed" }))))).toEqual([]);
});
