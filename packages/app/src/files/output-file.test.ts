import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { claimOutput } from "./output-file.ts";

test.each([
  ["new", false],
  ["replaced", true],
])("a bundle, report or cassette that is %s can be read by this user only", async (_title, exists) => {
  const cwd = await mkdtemp(join(tmpdir(), "bridle-output-"));
  onTestFinished(() => rm(cwd, { recursive: true }));
  const file = join(cwd, "out.tar.gz");
  if (exists) {
    await writeFile(file, "old");
    await chmod(file, 0o644);
  }
  await (await claimOutput("out.tar.gz", { cwd, flag: "--out", force: exists })).write("new");
  expect(await readFile(file, "utf8")).toBe("new");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});
