import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runCli } from "../../src/command/cli-for-tests.ts";

const top = mkdtempSync(join(tmpdir(), "bridle-created-"));
afterAll(() => rmSync(top, { recursive: true }));

test("a folder that bridle init created is trusted, and a file above it is not", async () => {
  const environment = { PATH: process.env.PATH ?? "", HOME: top };
  const run = (words: string, cwd: string) => runCli(words.split(" "), { cwd, environment, hasTrust: true });
  writeFileSync(join(top, "bridle.yaml"), "policy: { mode: yolo }");
  expect(await run("init desk --yes --provider claude-code --model sonnet", top)).toMatchObject({ code: 0 });
  const { stdout, code } = await run("trust --show", join(top, "desk"));
  expect({ stdout, code }).toEqual({ stdout: expect.stringContaining("trusted."), code: 0 });
  expect(await run("trust --show", top)).toMatchObject({ code: 3 });
});
