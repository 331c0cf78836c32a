import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { plantTraps } from "./traps.ts";

let root = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "bridle-traps-"));
  await mkdir(join(root, "tmp"));
  await mkdir(join(root, "home"));
  vi.stubEnv("TMPDIR", join(root, "tmp"));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(root, { recursive: true });
});

test("traps are removed to the last, with the folders that were made for them", async () => {
  const traps = await plantTraps(join(root, "home", ".claude"));
  expect(await readdir(join(root, "home"))).toEqual([".claude"]);
  await traps.remove();
  expect(await readdir(root, { recursive: true })).toEqual(expect.not.arrayContaining([expect.stringMatching(/[/]/)]));
});

test("folders that contain other files by then are kept", async () => {
  const configDir = join(root, "home", ".claude");
  const traps = await plantTraps(configDir);
  await writeFile(join(configDir, "settings.json"), "{}");
  await traps.remove();
  expect(await readdir(configDir)).toEqual(["settings.json"]);
});

test("traps that cannot all be planted are removed again", async () => {
  const configDir = join(root, "home");
  await writeFile(join(configDir, ".claude.json"), "broken");
  await expect(plantTraps(configDir, { plantHome: true })).rejects.toThrow();
  expect(await readdir(configDir)).toEqual([".claude.json"]);
  expect(await readdir(join(root, "tmp"))).toEqual([]);
});

test("a folder of Claude Code that is none, or no temporary folder, is an error of the machine's settings", async () => {
  const file = join(root, "file");
  await writeFile(file, "");
  await expect(plantTraps(file)).rejects.toThrow(
    /^The proof .* traps into .*file, the folder of Claude Code \(EEXIST\)/,
  );
  expect(await readdir(join(root, "tmp"))).toEqual([]);
  vi.stubEnv("TMPDIR", "/nowhere/at/all");
  await expect(plantTraps(join(root, "home"))).rejects.toThrow("Set TMPDIR to a writable folder.");
});
