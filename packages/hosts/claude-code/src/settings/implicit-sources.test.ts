import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { sha256 } from "@bridle/core";
import { expect, onTestFinished, test } from "vitest";
import type { ClaudeAuthMode } from "../options.ts";
import { findImplicitSources } from "./implicit-sources.ts";

/** Creates a machine with these files. Their contents are secret. */
async function machine(...files: string[]) {
  const root = await mkdtemp(join(tmpdir(), "bridle-sources-"));
  onTestFinished(() => rm(root, { recursive: true }));
  for (const file of files) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), `secret of ${file}`);
  }
  const query = {
    projectDir: join(root, "work", "project"),
    environment: { HOME: join(root, "home") },
    auth: "session" as ClaudeAuthMode,
    managedDir: join(root, "etc"),
  };
  const find = async (changes: Partial<typeof query> | { environment: Record<string, string> } = {}) => {
    const sources = await findImplicitSources({ ...query, ...changes });
    return sources
      .filter(({ path }) => path?.startsWith(root))
      .map((source) => ({ ...source, path: relative(root, source.path ?? "") }));
  };
  return { root, find };
}

test("a machine without such files has no implicit sources", async () => {
  const { find } = await machine();
  expect(await find()).toEqual([]);
});

test("instructions are found at every level, lowest precedence first, and do not apply", async () => {
  const files = [
    "home/.claude/CLAUDE.md",
    "CLAUDE.md",
    "work/CLAUDE.md",
    "work/.claude/CLAUDE.md",
    "work/project/CLAUDE.md",
    "work/project/CLAUDE.local.md",
  ];
  const { find } = await machine(...files);
  const sources = await find();
  expect(sources.map(({ path }) => path)).toEqual(files);
  expect(new Set(sources.map(({ kind, inForce }) => `${kind} ${inForce}`))).toEqual(new Set(["instructions false"]));
});

test("settings of user and project do not apply, and those of an administrator do", async () => {
  const { find } = await machine(
    "home/.claude/settings.json",
    "home/.claude/remote-settings.json",
    "work/project/.claude/settings.local.json",
    "work/project/.claude/settings.json",
    "etc/CLAUDE.md",
    "etc/managed-settings.json",
    "etc/managed-settings.d/20-b.json",
    "etc/managed-settings.d/10-a.json",
    "etc/managed-settings.d/notes.txt",
  );
  expect((await find()).map(({ kind, path, inForce }) => [kind, path, inForce])).toEqual([
    ["settings", "home/.claude/settings.json", false],
    ["settings", "work/project/.claude/settings.json", false],
    ["settings", "work/project/.claude/settings.local.json", false],
    ["managed-instructions", "etc/CLAUDE.md", true],
    ["managed-settings", "home/.claude/remote-settings.json", true],
    ["managed-settings", "etc/managed-settings.json", true],
    ["managed-settings", "etc/managed-settings.d/10-a.json", true],
    ["managed-settings", "etc/managed-settings.d/20-b.json", true],
  ]);
});

test("a login is listed without its hash", async () => {
  const { find } = await machine("home/.claude/.credentials.json");
  expect(await find()).toEqual([
    { kind: "auth", path: "home/.claude/.credentials.json", inForce: true, detail: "a login is stored here" },
  ]);
});

test("sources contain hashes, and never contents", async () => {
  const { find } = await machine(
    "work/project/CLAUDE.md",
    "etc/managed-settings.json",
    "home/.claude/.credentials.json",
  );
  const sources = await find();
  expect(sources[0]?.sha256).toBe(sha256("secret of work/project/CLAUDE.md"));
  expect(JSON.stringify(sources)).not.toContain("secret of");
});

test("a configured folder is searched instead of the one in the home", async () => {
  const { root, find } = await machine("home/.claude/settings.json", "other/settings.json");
  const environment = { HOME: join(root, "home"), CLAUDE_CONFIG_DIR: join(root, "other") };
  expect((await find({ environment })).map(({ path }) => path)).toEqual(["other/settings.json"]);
});

test("a folder with the name of a source file is ignored", async () => {
  const { find } = await machine("work/project/CLAUDE.md/readme.txt", "home/.claude/.credentials.json/readme.txt");
  expect(await find()).toEqual([]);
});

test("a stored login applies only to auth: session", async () => {
  const { find } = await machine("home/.claude/.credentials.json");
  expect(await find()).toMatchObject([{ kind: "auth", inForce: true }]);
  expect(await find({ auth: "api_key" })).toMatchObject([{ kind: "auth", inForce: false }]);
});

test("an empty CLAUDE_CONFIG_DIR counts as unset", async () => {
  const { find, root } = await machine("home/.claude/settings.json");
  const environment = { HOME: join(root, "home"), CLAUDE_CONFIG_DIR: "" };
  expect(await find({ environment })).toMatchObject([{ kind: "settings" }]);
});
