import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigError } from "@bridle/protocol";
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

test("a file that is filled in pieces appears when it is complete, and its temporary files have no name", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "bridle-output-"));
  onTestFinished(() => rm(cwd, { recursive: true }));
  const output = await claimOutput("out.tar.gz", { cwd, flag: "--out", force: false });
  await output.fill(async (temporary) => {
    const [first, second] = [await temporary.create(), await temporary.create()];
    await first.writeFile("ab");
    await second.writeFile("cd");
    expect(await readdir(cwd)).toEqual([]);
    return (async function* pieces() {
      yield (await first.read(Buffer.alloc(2), 0, 2, 0)).buffer;
      expect(await readdir(cwd)).toEqual([expect.stringMatching(/^\..+\.bridle$/)]);
      yield (await second.read(Buffer.alloc(2), 0, 2, 0)).buffer;
    })();
  });
  expect(await readdir(cwd)).toEqual(["out.tar.gz"]);
  expect(await readFile(join(cwd, "out.tar.gz"), "utf8")).toBe("abcd");
  expect((await stat(join(cwd, "out.tar.gz"))).mode & 0o777).toBe(0o600);
});

test("a file that cannot be filled does not appear, and the reason is passed on", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "bridle-output-"));
  onTestFinished(() => rm(cwd, { recursive: true }));
  const fail = async (error: Error) => {
    const output = await claimOutput("out.tar.gz", { cwd, flag: "--out", force: false });
    return output.fill(async () =>
      (async function* pieces() {
        yield Buffer.from("half");
        throw error;
      })(),
    );
  };
  const full = Object.assign(new Error("no space"), { code: "ENOSPC", syscall: "write" });
  const remedy = "Free some space, or name another file after --out.";
  await expect(fail(full)).rejects.toThrow(`out.tar.gz cannot be written (ENOSPC). ${remedy}`);
  await expect(fail(new ConfigError("It would contain a credential."))).rejects.toThrow("a credential");
  await expect(fail(new TypeError("x is not a function"))).rejects.toThrow(TypeError);
  expect(await readdir(cwd)).toEqual([]);
});
