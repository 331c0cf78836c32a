import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createRuntime } from "@bridle/project";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runCli } from "../../src/command/cli-for-tests.ts";

let cwd = "";
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "bridle-blocking-"));
  writeFileSync(join(cwd, "bridle.yaml"), "llm: { provider: { backend: none } }\n");
  writeFileSync(join(cwd, "help.md"), "Help.");
  writeFileSync(join(cwd, "format.json"), '{ "type": "object" }');
  const lines = ["name: desk", "instructions: { file: help.md }", "response_format: format.json"];
  writeFileSync(join(cwd, "agent.yaml"), `${lines.join("\n")}\n`);
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const validate = () => runCli(["agent", "validate"], { cwd });

const files = ["agent.yaml", "help.md", "format.json"];
const kinds: Readonly<Record<string, (path: string) => unknown>> = {
  "a pipe": (path) => execFileSync("sh", ["-c", 'mkfifo "$0"', path]),
  "a link to an endless device": (path) => symlinkSync("/dev/zero", path),
};
/**
 * Reasons for a refusal. Every user can write to a device, and a link to a device leads out of the folder, so both reasons are accepted.
 */
const refusal = /not a regular file|can be written by every user|leads out of the folder/;
const cases = files.flatMap((file) => Object.keys(kinds).map((kind) => ({ file, kind })));

/** Commands that read a file named on the command line, and the other files that they need in the folder. */
const named: Readonly<Record<string, { name: string; words: (path: string) => string[] }>> = {
  "--agent": { name: "named.yaml", words: (path) => ["run", "hi", "--agent", path] },
  "--system": { name: "named.md", words: (path) => ["run", "hi", "--system", `@${path}`] },
  "--schema": { name: "named.json", words: (path) => ["run", "hi", "--schema", path] },
  "--policy": { name: "named.yaml", words: (path) => ["run", "hi", "--policy", path] },
  "--rehearse": { name: "named.yaml", words: (path) => ["run", "hi", "--rehearse", path] },
  "--tools": { name: "named.mjs", words: (path) => ["run", "hi", "--tools", path] },
  "--check": { name: "named.tar.gz", words: (path) => ["bundle", "--check", path] },
  "--input": { name: "named.json", words: (path) => ["approvals", "answer", "x", "allow", "--input", `@${path}`] },
  "the results of test show": { name: "named.jsonl", words: (path) => ["test", "show", path] },
  "the report of test show": { name: "named.json", words: (path) => ["test", "show", path] },
};
const namedCases = Object.keys(named).flatMap((option) => Object.keys(kinds).map((kind) => ({ option, kind })));

/** Files that a project or a user has, and for each a command that reads it. */
const found: Readonly<Record<string, { path: string; words: string[] }>> = {
  "remembered answers": { path: "home/.config/bridle/permissions.yaml", words: ["permissions", "list"] },
  "trusted folders": { path: "home/.local/state/bridle/trust.json", words: ["trust", "--list"] },
};
const foundCases = Object.keys(found).flatMap((file) => Object.keys(kinds).map((kind) => ({ file, kind })));

describe.skipIf(process.platform === "win32")("a project with a file that never ends is refused at once", () => {
  test.each(cases)("$file is $kind", async ({ file, kind }) => {
    rmSync(join(cwd, file));
    kinds[kind]?.(join(cwd, file));
    const { code, stdout, stderr } = await validate();
    expect(code).not.toBe(0);
    expect(`${stdout}${stderr}`).toContain(file);
    expect(`${stdout}${stderr}`).toMatch(refusal);
  });

  test.each(Object.keys(kinds))("bridle.yaml is %s", async (kind) => {
    rmSync(join(cwd, "bridle.yaml"));
    kinds[kind]?.(join(cwd, "bridle.yaml"));
    const { code, stderr } = await runCli(["run", "hi"], { cwd });
    expect(code).toBe(3);
    expect(stderr).toContain("bridle.yaml");
    expect(stderr).toMatch(refusal);
  });

  test.each(namedCases)("$option names $kind", async ({ option, kind }) => {
    const { name, words } = named[option] ?? { name: "", words: () => [] };
    kinds[kind]?.(join(cwd, name));
    const { code, stdout, stderr } = await runCli(words(join(cwd, name)), {
      cwd,
      environment: { HOME: join(cwd, "home") },
      createRuntime,
    });
    expect(code).not.toBe(0);
    expect(`${stdout}${stderr}`).toContain(name);
    expect(`${stdout}${stderr}`.replaceAll(/\s+/g, " ")).toMatch(refusal);
  });

  test.each(foundCases)("the file of $file is $kind", async ({ file, kind }) => {
    const { path, words } = found[file] ?? { path: "", words: [] };
    mkdirSync(dirname(join(cwd, path)), { recursive: true, mode: 0o700 });
    kinds[kind]?.(join(cwd, path));
    const { stdout, stderr } = await runCli(words, { cwd, environment: { HOME: join(cwd, "home") } });
    expect(`${stdout}${stderr}`.replaceAll(/\s+/g, " ")).toMatch(refusal);
  });

  test("the same project with ordinary files is valid", async () => {
    expect(await validate()).toMatchObject({ code: 0 });
  });
});
