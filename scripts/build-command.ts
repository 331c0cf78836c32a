/** Builds the command that tests start, before the first test. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { globSync, statSync } from "node:fs";
import { join } from "node:path";
import { root } from "./packages.ts";
import { runCommand } from "./run-command.ts";

const built = "packages/bridle/dist/command/cli.js";
const sources = [
  "packages/{*,hosts/*,stores/*}/{src/**,package.json}",
  "packages/workbench/{index.html,vite.config.ts}",
  "scripts/{build,build-page,bundled-modules}.ts",
];

/**
 * Programs whose compiled code is cached in advance: tests start these programs hundreds of times from their sources, and kill them before
 * Node.js would fill its cache.
 */
const programs = [
  "packages/documents/src/reading/reader-process.ts",
  "packages/warehouse/src/connectors/duckdb/process/duckdb-process.ts",
  "packages/warehouse/src/connectors/sqlite/process/sqlite-process.ts",
];

/** Builds the command and compiles the programs. Vitest calls this once, before the first test. */
export async function setup(): Promise<void> {
  await buildCommand();
  await Promise.all(programs.map(compile));
}

/** Starts a program and closes its channel. The program then ends by itself, and Node.js writes the compiled code into its cache. */
async function compile(program: string): Promise<void> {
  const child = fork(join(root, program), ["2000000000"], {
    execArgv: ["--conditions=@bridle/source", "--no-warnings"],
  });
  child.disconnect();
  await once(child, "exit");
}

/** Builds the command, unless the build is newer than all sources. */
async function buildCommand(): Promise<void> {
  if (changedAt(built) > Math.max(...globSync(sources, { cwd: root, exclude: ["**/*.test.ts"] }).map(changedAt)))
    return;
  const { code, output } = await runCommand("node", [join(root, "scripts/build.ts"), "--without-types"]);
  if (code !== 0) throw new Error(`The command could not be built.\n${output}`);
}

/** Returns when a file was last changed, in milliseconds since the epoch, or 0 if the file does not exist. */
function changedAt(path: string): number {
  return statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
