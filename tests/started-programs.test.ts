/** Checks that programs are started in only one place. That place requires a proof of trust for everything that comes from a folder. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../scripts/packages.ts";

const place = "packages/core/src/system/programs/start-programs.ts";

/** Other files that contain the name of a module that starts processes or threads, each with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  "packages/documents/src/reading/reader-process.ts": "a thread that watches over the program's own process",
  "packages/warehouse/src/processes/watch-process.ts": "a thread that watches over the program's own process",
  "packages/warehouse/src/connectors/sqlite/process/sqlite-process.ts": "asks which of its threads it is",
  "packages/warehouse/src/connectors/duckdb/process/duckdb-process.ts": "asks which of its threads it is",
  "packages/stores/sqlite/src/streams/checkpoints.ts": "a thread with code of its own, which writes the log's database",
  "packages/hosts/copilot/src/process/runtime-process.ts":
    "names the class of the process that Copilot's SDK has started",
  "packages/agent/src/modules/read-imports.ts": "names of modules that load code, which it looks for",
  "packages/hosts/codex/src/proof/forged-calls.ts": "text of a call that the proof of the boundary forges",
};

const files = globSync("packages/{*,hosts/*,stores/*}/{src,bin}/**/*.{ts,tsx,js,mjs}", { cwd: root }).filter(
  (path) => !/\.test\.tsx?$|-for-tests\.ts$/.test(path),
);
const textOf = (path: string) => readFileSync(join(root, path), "utf8");

/** Matches a module name in any quotes, even inside a string. Type-only imports are removed first. */
const starting = /["'`](?:node:)?(?:child_process|worker_threads|cluster)\\?["'`]/;
const typesOnly = /^import type .*$/gm;

test("only one file starts programs, and the exceptions are those that are listed", () => {
  const found = files.filter((path) => starting.test(textOf(path).replaceAll(typesOnly, "")));
  expect(found.toSorted()).toEqual([place, ...Object.keys(exceptions)].toSorted());
});

test("no package that starts programs by itself is used", () => {
  const starters =
    /(?:from |import\(|require\()["'](?:execa|cross-spawn|open|tinyexec|zx|shelljs|node-pty|@lydell\/node-pty|simple-git|@modelcontextprotocol\/(?:sdk\/)?client\/[\w/-]*stdio(?:\.js)?)["']/;
  expect(files.filter((path) => starters.test(textOf(path)))).toEqual([]);
  expect(
    files.filter((path) => /\bgetBuiltinModule\((?!"node:sqlite")|\bprocess\.binding\b/.test(textOf(path))),
  ).toEqual([]);
});

test("a name of a module that starts programs is found however it is written", () => {
  for (const text of ['import("node:child_process")', "require('child_process')", "await import(`worker_threads`)"]) {
    expect(starting.test(text)).toBe(true);
  }
});
