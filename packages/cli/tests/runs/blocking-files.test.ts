import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runCli } from "../../src/command-line/cli-for-tests.ts";

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
/** Every user can write to a device, which is a reason as good. */
const refusal = /not a regular file|can be written by every user/;
const cases = files.flatMap((file) => Object.keys(kinds).map((kind) => ({ file, kind })));

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

  test("the same project with ordinary files is valid", async () => {
    expect(await validate()).toMatchObject({ code: 0 });
  });
});
