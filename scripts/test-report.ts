/** The results of a run of Vitest, and of a second run of the files that failed. */
import { z } from "zod";

const fileSchema = z.looseObject({
  name: z.string(),
  status: z.string(),
  assertionResults: z.array(z.looseObject({ fullName: z.string(), status: z.string() })),
});

/** The parts of Vitest's JSON report that count. */
export const testReport = z.looseObject({ testResults: z.array(fileSchema) });
export type TestReport = z.output<typeof testReport>;

/** More files than this fail because of a fault, not because the machine was busy. */
const maxRepeated = 5;

/** The files that are run again: the ones with failures, if they are few. */
export function filesToRepeat({ testResults }: TestReport): string[] {
  const failed = testResults.filter(({ status }) => status === "failed").map(({ name }) => name);
  return failed.length > maxRepeated ? [] : failed;
}

/** The report with the results of the repeated files. */
export function withRepeated(report: TestReport, repeated: TestReport): TestReport {
  const later = new Map(repeated.testResults.map((file) => [file.name, file]));
  return { ...report, testResults: report.testResults.map((file) => later.get(file.name) ?? file) };
}

/** The titles of tests that failed at first and passed when they were run again. */
export function unsteadyTests(report: TestReport, repeated: TestReport): string[] {
  const left = new Set(titlesOf(repeated, "failed"));
  return titlesOf(report, "failed").filter((title) => !left.has(title));
}

/** A file that could not be loaded counts as one failure. */
export function countTests(report: TestReport): { passed: number; failed: number } {
  const broken = report.testResults.filter(({ status, assertionResults }) => {
    return status === "failed" && assertionResults.length === 0;
  });
  return { passed: titlesOf(report, "passed").length, failed: titlesOf(report, "failed").length + broken.length };
}

function titlesOf({ testResults }: TestReport, status: string): string[] {
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.filter((test) => test.status === status).map(({ fullName }) => `${name}: ${fullName}`),
  );
}
