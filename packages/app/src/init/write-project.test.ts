import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeProject } from "./write-project.ts";

let place: string;
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), "bridle-init-test-"));
});
afterEach(() => rm(place, { recursive: true }));

const tree = async (folder: string) => (await readdir(folder, { recursive: true })).sort();

function write(folder: string, names: readonly string[], options: { force?: boolean; signal?: AbortSignal } = {}) {
  const { force = false, signal = new AbortController().signal } = options;
  const files = names.map((name) => ({ name, text: `new ${name}` }));
  return writeProject({ folder: join(place, folder), shown: folder, files, force, signal });
}

/** A name that is longer than any file system allows, so that this write fails after the others. */
const impossible = "x".repeat(300);

test("a failure while a project is written removes the folder that it created", async () => {
  await expect(write("a/b", ["one", "docs/two", impossible])).rejects.toThrow(
    "a/b cannot be written (ENAMETOOLONG); nothing was changed.",
  );
  expect(await tree(place)).toEqual([]);
});

test("a failure while files are moved restores the replaced files", async () => {
  await mkdir(join(place, "a/docs"), { recursive: true });
  await writeFile(join(place, "a/agent.yaml"), "mine");
  await writeFile(join(place, "a/docs/one"), "mine");
  await writeFile(join(place, "a/z"), "a file where a folder has to be");
  await expect(write("a", ["agent.yaml", "docs/one", "docs/two", "z/file"], { force: true })).rejects.toThrow(
    "nothing was changed",
  );
  expect(await tree(place)).toEqual(["a", "a/agent.yaml", "a/docs", "a/docs/one", "a/z"]);
  expect(await readFile(join(place, "a/agent.yaml"), "utf8")).toBe("mine");
  expect(await readFile(join(place, "a/docs/one"), "utf8")).toBe("mine");
});

test("a file that was created in the meantime is kept", async () => {
  await mkdir(join(place, "a"));
  await writeFile(join(place, "a/two"), "mine");
  await expect(write("a", ["one", "two"])).rejects.toThrow("EEXIST");
  expect(await tree(place)).toEqual(["a", "a/two"]);
  expect(await readFile(join(place, "a/two"), "utf8")).toBe("mine");
});

test("an interruption leaves no files", async () => {
  const signal = AbortSignal.abort(new Error("interrupted"));
  await expect(write("a", ["one"], { signal })).rejects.toThrow("interrupted");
  expect(await tree(place)).toEqual([]);
});

test("a project is written whole, without temporary files", async () => {
  await write("a/b", ["one", "docs/two"]);
  expect(await tree(place)).toEqual(["a", "a/b", "a/b/docs", "a/b/docs/two", "a/b/one"]);
});
