/**
 * Every check that must pass before a change is published, the quickest first.
 * Ends with the line "N passed, N failed", which counts every check and every test.
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { enterCleanEnvironment } from "./clean-environment.ts";
import { leftoversOf } from "./leftovers.ts";
import { readPackages, root } from "./packages.ts";
import { reportSchema as featuresSchema, withFeatures } from "./reference/features.ts";
import { binFolder, runCommand } from "./run-command.ts";

interface Tally {
  passed: number;
  failed: number;
}

const reportSchema = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.unknown()) })),
});

/** How long processes that the last test ended may take to exit, in milliseconds. */
const exitWithinMs = 5000;

enterCleanEnvironment();
process.env.PATH = [binFolder, process.env.PATH].join(delimiter);

const tallies = [
  await check("format and lint", "biome", ["check", "--error-on-warnings", "."]),
  await check("types", "tsc", ["--noEmit"]),
  await check("dead code", "knip", ["--no-progress"]),
  await check("build", "node", ["scripts/build.ts"]),
];
for (const { name, folder } of readPackages().filter((pkg) => !pkg.private)) {
  tallies.push(await check(`package ${name}`, "publint", ["--strict", folder]));
}
tallies.push(await check("entries of the packages", "node", ["scripts/check-entries.ts"]));
tallies.push(...(await vitest()));

const passed = sum(tallies.map((tally) => tally.passed));
const failed = sum(tallies.map((tally) => tally.failed));
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** Runs one command that must succeed. Its output is shown if it fails. */
async function check(title: string, command: string, args: readonly string[]): Promise<Tally> {
  const started = performance.now();
  const { code, output } = await runCommand(command, args);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${code === 0 ? "✓" : "✗"} ${title} (${seconds} s)`);
  if (code === 0) return { passed: 1, failed: 0 };
  console.log(output);
  return { passed: 0, failed: 1 };
}

/**
 * Runs all tests in a temporary folder, which must be empty afterwards. A file that cannot be loaded, and an error
 * outside of any test, count as one failure each.
 */
async function vitest(): Promise<Tally[]> {
  const folder = mkdtempSync(join(tmpdir(), "bridle-report-"));
  const temporary = mkdtempSync(join(tmpdir(), "bridle-tests-"));
  chmodSync(temporary, 0o1777); // like the system's temporary folder, because one test runs as another user
  const report = join(folder, "report.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  try {
    const { code } = await runCommand("vitest", ["run", ...reporters], "inherit", { TMPDIR: temporary });
    const found: unknown = JSON.parse(readFileSync(report, "utf8"));
    return [tallyOf(code, found), checkFeatures(found), await checkLeftovers(temporary)];
  } catch (error) {
    console.log(error);
    return [{ passed: 0, failed: 1 }];
  } finally {
    for (const each of [folder, temporary]) rmSync(each, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function checkLeftovers(folder: string): Promise<Tally> {
  const until = performance.now() + exitWithinMs;
  while (leftoversOf(folder).length > 0 && performance.now() < until) await sleep(100);
  const left = leftoversOf(folder);
  console.log(`${left.length === 0 ? "✓" : "✗"} the tests left no process and no file`);
  for (const each of left) console.log(`  ${each}`);
  return left.length === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** The table of features in the documents must match the results of the suite. */
function checkFeatures(report: unknown): Tally {
  const document = readFileSync(join(root, "docs/backends.md"), "utf8");
  const found = featuresSchema.safeParse(report);
  const isCurrent = found.success && withFeatures(document, found.data) === document;
  console.log(`${isCurrent ? "✓" : "✗"} features by backend`);
  if (isCurrent) return { passed: 1, failed: 0 };
  console.log(
    'The table in docs/backends.md differs from the results of the conformance suite. Run "npm run generate:features".',
  );
  return { passed: 0, failed: 1 };
}

function tallyOf(code: number | null, report: unknown): Tally {
  const { numPassedTests, numFailedTests, testResults } = reportSchema.parse(report);
  const broken = testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0).length;
  const failed = numFailedTests + broken;
  return { passed: numPassedTests, failed: failed === 0 && code !== 0 ? 1 : failed };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
