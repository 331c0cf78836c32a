/** The results of a Vitest run, and of a second run of the files that failed. */
import { z } from "zod";

const fileSchema = z.looseObject({
  name: z.string(),
  status: z.string(),
  assertionResults: z.array(z.looseObject({ fullName: z.string(), status: z.string() })),
});

/** The parts of Vitest's JSON report that are read here. */
export const testReport = z.looseObject({ testResults: z.array(fileSchema) });
export type TestReport = z.output<typeof testReport>;

/** The largest number of failed files that are run again. If more files fail, the cause is probably a fault, not a busy machine. */
const maxRepeated = 5;

/** Lists the files to run again: those with failures, if they are few. */
export function filesToRepeat({ testResults }: TestReport): string[] {
  const failed = testResults.filter(({ status }) => status === "failed").map(({ name }) => name);
  return failed.length > maxRepeated ? [] : failed;
}

/** Returns the report in which the results of the repeated files replace the first ones. */
export function withRepeated(report: TestReport, repeated: TestReport): TestReport {
  const later = new Map(repeated.testResults.map((file) => [file.name, file]));
  return { ...report, testResults: report.testResults.map((file) => later.get(file.name) ?? file) };
}

/** Lists the titles of tests that failed at first and passed in the second run. */
export function unsteadyTests(report: TestReport, repeated: TestReport): string[] {
  const left = new Set(titlesOf(repeated, "failed"));
  return titlesOf(report, "failed").filter((title) => !left.has(title));
}

/** Counts the tests. A file that could not be loaded counts as one failure. */
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
