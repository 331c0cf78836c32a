/**
 * Runs every check that must pass before a change is published, with the tests last. Ends with the line "N passed, N failed", which counts
 * every check and every test.
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { enterCleanEnvironment } from "./clean-environment.ts";
import { leftoversOf } from "./leftovers.ts";
import { readPackages, root } from "./packages.ts";
import { reportSchema as featuresSchema, withFeatures } from "./reference/features.ts";
import { binFolder, runCommand } from "./run-command.ts";
import { countTests, filesToRepeat, type TestReport, testReport, unsteadyTests, withRepeated } from "./test-report.ts";

interface Tally {
  passed: number;
  failed: number;
}

/** How long processes may take to exit after the last test has ended them, in milliseconds. */
const exitWithinMs = 5000;

enterCleanEnvironment();
process.env.PATH = [binFolder, process.env.PATH].join(delimiter);

const tallies = (await Promise.all([checkSources(), checkPackages()])).flat();
tallies.push(...(await vitest()));

const passed = sum(tallies.map((tally) => tally.passed));
const failed = sum(tallies.map((tally) => tally.failed));
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function checkSources(): Promise<Tally[]> {
  return [
    await check("format and lint", "biome", ["check", "--error-on-warnings", "."]),
    await check("types", "tsc", ["--noEmit"]),
    await check("types of the page", "tsc", ["--noEmit", "-p", "packages/workbench"]),
  ];
}

/** Builds everything and checks the build. Runs at the same time as the source checks, because each check uses only one core. */
async function checkPackages(): Promise<Tally[]> {
  const build = await check("build", "node", ["scripts/build.ts"]);
  const ofBuilt = [check("dead code", "knip", ["--no-progress"]), checkBuilt()]; // both checks read the build output
  return [build, ...(await Promise.all(ofBuilt)).flat()];
}

async function checkBuilt(): Promise<Tally[]> {
  const found: Tally[] = [];
  for (const { name, folder } of readPackages().filter((pkg) => !pkg.private)) {
    found.push(await check(`package ${name}`, "publint", ["--strict", folder]));
  }
  return [...found, await check("entries of the packages", "node", ["scripts/check-entries.ts"])];
}

/** Runs a command that must succeed. Shows its output if it fails. */
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
 * Runs all tests in a temporary folder, which must be empty afterwards. Files with a failure are run once more, alone: the tests start
 * thousands of processes, and a busy machine can delay a process for longer than a test allows.
 */
async function vitest(): Promise<Tally[]> {
  const temporary = mkdtempSync(join(tmpdir(), "bridle-tests-"));
  chmodSync(temporary, 0o1777); // all users may write, as in the system's temporary folder, because one test runs as another user
  try {
    const first = await runTests([], temporary);
    const files = filesToRepeat(first.report);
    const { report, outside } = files.length === 0 ? first : await repeat(files, first, temporary);
    const { passed, failed } = countTests(report);
    return [{ passed, failed: failed + outside }, checkFeatures(report), await checkLeftovers(temporary)];
  } catch (error) {
    console.log(error);
    return [{ passed: 0, failed: 1 }];
  } finally {
    rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface TestRun {
  readonly report: TestReport;
  /** Counts the errors outside of any test. A failed exit code without another cause counts as one. */
  readonly outside: number;
}

async function repeat(files: readonly string[], first: TestRun, temporary: string): Promise<TestRun> {
  console.log(`\n== again: ${files.map((file) => relative(root, file)).join(" ")}`);
  const second = await runTests(files, temporary);
  for (const title of unsteadyTests(first.report, second.report)) {
    console.log(`! passed only when it ran alone: ${relative(root, title)}`);
  }
  return { report: withRepeated(first.report, second.report), outside: first.outside + second.outside };
}

/** Runs the named test files or, if none are named, all files except those that only `npm run soak` runs. */
async function runTests(files: readonly string[], temporary: string): Promise<TestRun> {
  const folder = mkdtempSync(join(tmpdir(), "bridle-report-"));
  const [report, errors] = [join(folder, "report.json"), join(folder, "outside-errors")];
  const reporters = ["default", "json", "./scripts/outside-errors.ts"].map((name) => `--reporter=${name}`);
  try {
    const words = ["run", ...reporters, `--outputFile.json=${report}`, ...files];
    const { code } = await runCommand("vitest", words, "inherit", {
      TMPDIR: temporary,
      OUTSIDE_ERRORS: errors,
      WITHOUT_SOAK: "1",
    });
    const results = testReport.parse(JSON.parse(readFileSync(report, "utf8")));
    const isExplained = code === 0 || countTests(results).failed > 0;
    return { report: results, outside: Math.max(Number(readFileSync(errors, "utf8")), isExplained ? 0 : 1) };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
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

/** Checks that the features table in the documents matches the results of the suite. */
function checkFeatures(report: unknown): Tally {
  const document = readFileSync(join(root, "docs/reference/backends.md"), "utf8");
  const found = featuresSchema.safeParse(report);
  const isCurrent = found.success && withFeatures(document, found.data) === document;
  console.log(`${isCurrent ? "✓" : "✗"} features by backend`);
  if (isCurrent) return { passed: 1, failed: 0 };
  console.log(
    'The table in docs/reference/backends.md differs from the results of the conformance suite. Run "npm run generate:features".',
  );
  return { passed: 0, failed: 1 };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
