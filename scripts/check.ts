/**
 * Run this after each edit: it checks formatting, lint and types, and runs the unit tests of the changed packages. A package is changed if
 * one of its files is uncommitted, or, if there are no uncommitted files, if the last commit changed it. Only `npm test` runs tests that
 * start real processes.
 */
import { execFileSync } from "node:child_process";
import { globSync } from "node:fs";
import { delimiter } from "node:path";
import { enterCleanEnvironment } from "./clean-environment.ts";
import { root } from "./packages.ts";
import { binFolder, runCommand } from "./run-command.ts";

enterCleanEnvironment();
process.env.PATH = [binFolder, process.env.PATH].join(delimiter);

const started = performance.now();
const packages = changedPackages();
const tests = packages.flatMap((folder) => globSync(`${folder}/src/**/*.test.ts`, { cwd: root }));
const results = await Promise.all([
  check("format and lint", "biome", ["check", "--error-on-warnings", "."]),
  check("types", "tsc", ["--noEmit"]),
  check("types of the page", "tsc", ["--noEmit", "-p", "packages/workbench"]),
]);
if (tests.length > 0) {
  results.push(await check(`unit tests of ${packages.join(", ")}`, "vitest", ["run", "--reporter=dot", ...tests]));
}
console.log(`${((performance.now() - started) / 1000).toFixed(1)} s`);
process.exitCode = results.every(Boolean) ? 0 : 1;

async function check(title: string, command: string, args: readonly string[]): Promise<boolean> {
  const { code, output } = await runCommand(command, args);
  console.log(`${code === 0 ? "✓" : "✗"} ${title}`);
  if (code !== 0) console.log(output);
  return code === 0;
}

function changedPackages(): readonly string[] {
  const uncommitted = git("status", "--porcelain", "--untracked-files=all").map((line) => line.slice(3));
  const changed = uncommitted.length > 0 ? uncommitted : git("diff", "--name-only", "HEAD~1");
  const folders = changed.flatMap((path) => /^packages\/(?:(?:hosts|stores)\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(folders)].sort();
}

function git(...args: readonly string[]): readonly string[] {
  return execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\n").filter(Boolean);
}
