/**
 * Everything that has to hold before a change is published, in the order in which it is quickest to fail.
 * Ends with the line "N passed, N failed", which counts every check and every test.
 */
import { spawn } from "node:child_process";
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

const reportSchema = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.unknown()) })),
});

enterCleanEnvironment();
process.env.PATH = [join(root, "node_modules/.bin"), process.env.PATH].join(delimiter);

const tallies = [
  await check("format and lint", "biome", ["check", "--error-on-warnings", "."]),
  await check("types", "tsc", ["--noEmit"]),
  await check("dead code", "knip", ["--no-progress"]),
  await check("build", "node", ["scripts/build.ts"]),
];
for (const { name, folder } of readPackages()) {
  tallies.push(await check(`package ${name}`, "publint", ["--strict", folder]));
}
tallies.push(await vitest());

const passed = sum(tallies.map((tally) => tally.passed));
const failed = sum(tallies.map((tally) => tally.failed));
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** One command that has to end well. What it prints is shown when it does not. */
async function check(title: string, command: string, args: readonly string[]): Promise<Tally> {
  const started = performance.now();
  const { code, output } = await run(command, args, "pipe");
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${code === 0 ? "✓" : "✗"} ${title} (${seconds} s)`);
  if (code === 0) return { passed: 1, failed: 0 };
  console.log(output);
  return { passed: 0, failed: 1 };
}

/** All tests. A file that could not be loaded, and an error outside of any test, count as one failure each. */
async function vitest(): Promise<Tally> {
  const folder = mkdtempSync(join(tmpdir(), "bridle-report-"));
  const report = join(folder, "report.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  try {
    const { code } = await run("vitest", ["run", ...reporters], "inherit");
    return tallyOf(code, readFileSync(report, "utf8"));
  } catch (error) {
    console.log(error);
    return { passed: 0, failed: 1 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function tallyOf(code: number | null, report: string): Tally {
  const { numPassedTests, numFailedTests, testResults } = reportSchema.parse(JSON.parse(report));
  const broken = testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0).length;
  const failed = numFailedTests + broken;
  return { passed: numPassedTests, failed: failed === 0 && code !== 0 ? 1 : failed };
}

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

function run(command: string, args: readonly string[], stdio: "pipe" | "inherit"): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ["ignore", stdio, stdio] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    child.on("error", ({ message }) => resolve({ code: null, output: message }));
    child.on("close", (code) => resolve({ code, output }));
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
