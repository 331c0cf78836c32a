/**
 * Runs one application on Node.js 22 and 24, Bun and Deno, and prints a table: `npm run runtimes`. Builds and packs the packages, and
 * installs them and the runtimes from npm in a temporary folder. This takes a few minutes.
 */
import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { enterCleanEnvironment } from "./clean-environment.ts";
import { root } from "./packages.ts";

/** How to start a program in each runtime: the runtime's path below `node_modules`, and its arguments. */
const runtimes: Readonly<Record<string, readonly [program: string, ...args: string[]]>> = {
  "Node.js 22": ["node-22/bin/node"],
  "Node.js 24": ["node-24/bin/node"],
  Bun: [".bin/bun"],
  Deno: [".bin/deno", "run", "--allow-all"],
};
const installed = ["node-22@npm:node@22", "node-24@npm:node@24", "bun@1", "deno@2", "zod@4", "@ai-sdk/anthropic"];

/** The expected output of each part of the application. */
const expected = {
  "claude-code": "A-1001 has shipped. 42",
  anthropic: "A-1001 has shipped. 42",
  log: "Hello. 2 Hello. 4",
  agent: "Order A-1001 (Reading lamp) has been shipped on 2026-03-02. 4 of 5",
};

enterCleanEnvironment();
const folder = mkdtempSync(join(tmpdir(), "bridle-runtimes-"));
try {
  install();
  const rows = Object.entries(runtimes).map(([name, words]) => measure(name, words));
  console.table(Object.fromEntries(rows));
  if (rows.some(([, row]) => Object.values(row).includes("failed"))) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function install(): void {
  const run = (program: string, args: readonly string[], cwd = folder) =>
    execFileSync(program, args, { cwd, stdio: ["ignore", "pipe", "inherit"] });
  run("node", ["scripts/pack.ts", folder], root);
  const archives = globSync("*.tgz", { cwd: folder }).map((name) => `./${name}`);
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error", ...archives, ...installed]);
  cpSync(join(import.meta.dirname, "runtimes/application.ts"), join(folder, "application.ts"));
  run("node", ["node_modules/bridle/bin/bridle.js", "init", "desk", "--yes", "--provider", "anthropic"]);
}

function measure(name: string, [program, ...args]: readonly [string, ...string[]]): [string, Record<string, string>] {
  const start = (words: readonly string[]) => {
    const path = join(folder, "node_modules", program);
    return execFileSync(path, words, {
      cwd: folder,
      encoding: "utf8",
      timeout: 120_000,
      stdio: ["ignore", "pipe", "pipe"],
    });
  };
  const [version = ""] = /\d+\.\d+\.\d+/.exec(start(["--version"])) ?? [];
  const outcomes = Object.entries(expected).map(([what, text]) => {
    rmSync(join(folder, ".bridle"), { recursive: true, force: true });
    try {
      const printed = start([...args, "application.ts", what]).trim();
      if (printed === text) return [what, "passed"];
      console.log(`${name}, ${what}: expected "${text}", printed "${printed}"`);
    } catch (error) {
      console.log(`${name}, ${what}: ${error instanceof Error ? error.message : error}`);
    }
    return [what, "failed"];
  });
  return [name, { version, ...Object.fromEntries(outcomes) }];
}
