/**
 * Everything that has to hold before a change is published, in the order in which it is quickest to fail.
 * Ends with the line "N passed, N failed", which counts every check and every test.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { z } from "zod";
import { enterCleanEnvironment } from "./clean-environment.ts";
import { readPackages, root } from "./packages.ts";

interface Tally {
  passed: number;
  failed: number;
}

enterCleanEnvironment();
process.env.PATH = [join(root, "node_modules/.bin"), process.env.PATH].join(delimiter);

const tallies = [
  check("format and lint", ["biome", "check", "--error-on-warnings", "."]),
  check("types", ["tsc", "--noEmit"]),
  check("dead code", ["knip", "--no-progress"]),
  check("build", ["node", "scripts/build.ts"]),
  ...readPackages().map(({ name, folder }) => check(`package ${name}`, ["publint", "--strict", folder])),
  vitest(),
];
const passed = sum(tallies.map((tally) => tally.passed));
const failed = sum(tallies.map((tally) => tally.failed));
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** One command that has to end well. What it prints is shown when it does not. */
function check(title: string, [command = "", ...rest]: string[]): Tally {
  const started = performance.now();
  const { status, stdout, stderr, error } = spawnSync(command, rest, { cwd: root, encoding: "utf8" });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${status === 0 ? "✓" : "✗"} ${title} (${seconds} s)`);
  if (status === 0) return { passed: 1, failed: 0 };
  console.log(error ? error.message : `${stdout}${stderr}`);
  return { passed: 0, failed: 1 };
}

const reportSchema = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.unknown()) })),
});

/** All tests. A file that could not be loaded, and an error outside of any test, count as one failure each. */
function vitest(): Tally {
  const folder = mkdtempSync(join(tmpdir(), "bridle-report-"));
  const report = join(folder, "report.json");
  const options = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  try {
    const { status } = spawnSync("vitest", options, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
    return tallyOf(status, readFileSync(report, "utf8"));
  } catch (error) {
    console.log(error);
    return { passed: 0, failed: 1 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function tallyOf(status: number | null, report: string): Tally {
  const { numPassedTests, numFailedTests, testResults } = reportSchema.parse(JSON.parse(report));
  const broken = testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0).length;
  const failed = numFailedTests + broken;
  return { passed: numPassedTests, failed: failed === 0 && status !== 0 ? 1 : failed };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
