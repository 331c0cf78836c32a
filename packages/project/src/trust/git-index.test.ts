import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { listTrackedFiles } from "./git-index.ts";

let top = "";
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "bridle-index-")));
  onTestFinished(() => rmSync(top, { recursive: true }));
});

const nobody = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
const git = (cwd: string, ...words: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...words], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    env: { PATH: process.env.PATH, ...nobody },
  });

/** Creates a repository in which these files are tracked. */
function repository(names: readonly string[], ...options: string[]): string {
  const root = join(top, "repository");
  mkdirSync(root);
  git(root, "init", ...options);
  for (const name of names) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), name);
  }
  git(root, "add", "--all", "--force");
  return root;
}

const state = ["documents/x.db", "ns/ada/état", "state.db"];
const files = [
  ...state.map((name) => `sub/.bridle/${name}`),
  ".biome.json",
  "sub/.bridl",
  "sub/.bridles/a",
  "z/.bridle/b",
];

function expectState(folder: string) {
  const found = listTrackedFiles(join(folder, "sub/.bridle"));
  expect(found.map(({ name }) => name).sort()).toEqual(state);
  const listed = git(folder, "ls-files", "--stage", "sub/.bridle/state.db");
  expect(listed).toContain(found.find(({ name }) => name === "state.db")?.hash);
}

test.each(["2", "3", "4"])("the tracked files of a folder are listed with an index of version %s", (version) => {
  const root = repository(files);
  git(root, "update-index", "--index-version", version);
  if (version === "3") {
    writeFileSync(join(root, "new"), "");
    git(root, "add", "--intent-to-add", "new"); // needs a flag of version 3
  }
  expectState(root);
});

test("the tracked files of a folder are listed in a repository with long hashes", () => {
  expectState(repository(files, "--object-format=sha256"));
});

test("the tracked files of a folder are listed if the index is split", () => {
  const root = repository(files);
  git(root, "update-index", "--split-index");
  expectState(root);
});

test.each(["sha1", "sha256"])("the tracked files of a folder are listed in another worktree (%s)", (format) => {
  const root = repository(files, `--object-format=${format}`);
  git(root, "commit", "--message", "a");
  git(root, "worktree", "add", join(top, "other"));
  expectState(join(top, "other"));
});

test("a change of the index is noticed, also one that keeps its size", () => {
  const root = repository(["sub/.bridle/a", "sub/.bridle/bb"]);
  const names = () => listTrackedFiles(join(root, "sub/.bridle")).map(({ name }) => name);
  expect(names()).toEqual(["a", "bb"]);
  git(root, "rm", "--quiet", "--cached", "sub/.bridle/a");
  expect(names()).toEqual(["bb"]);
  writeFileSync(join(root, "sub/.bridle/cc"), "");
  git(root, "add", "--force", "sub/.bridle/cc");
  git(root, "rm", "--quiet", "--cached", "sub/.bridle/bb");
  expect(names()).toEqual(["cc"]);
});

test("a large index is read once", () => {
  const root = repository(["sub/.bridle/a"]);
  const hash = git(root, "hash-object", "-w", "sub/.bridle/a").trim();
  const lines = Array.from(
    { length: 100_000 },
    (_, index) => `100644 ${hash}\tfolder-${index % 97}/file-${index}.ts\n`,
  );
  execFileSync("git", ["update-index", "--index-info"], { cwd: root, input: lines.join(""), env: { ...process.env } });
  const measured = [0, 1, 2].map(() => {
    const start = performance.now();
    expect(listTrackedFiles(join(root, "sub/.bridle"))).toHaveLength(1);
    return performance.now() - start;
  });
  expect(Math.max(...measured.slice(1))).toBeLessThan((measured[0] ?? 0) / 4);
});

test("a submodule in the place of the folder is listed", () => {
  const root = repository(["a"]);
  git(root, "commit", "--message", "a");
  const outer = join(top, "outer");
  mkdirSync(outer);
  git(outer, "init");
  git(outer, "-c", "protocol.file.allow=always", "submodule", "add", root, ".bridle");
  expect(listTrackedFiles(join(outer, ".bridle"))).toEqual([
    { name: "", hash: expect.stringMatching(/^[0-9a-f]{40}$/) },
  ]);
});

test("nothing is tracked outside of a repository, in a new one, and with a damaged index", () => {
  expect(listTrackedFiles(join(top, ".bridle"))).toEqual([]);
  const root = repository([]);
  expect(listTrackedFiles(join(root, ".bridle"))).toEqual([]);
  writeFileSync(join(root, ".git/index"), "DIRC");
  expect(listTrackedFiles(join(root, ".bridle"))).toEqual([]);
});

test.skipIf(process.platform === "win32").each(["index", "config"])(
  "a pipe as .git/%s, which came with a copied folder, blocks nothing",
  (name) => {
    const root = repository(files);
    const file = join(root, ".git", name);
    rmSync(file);
    execFileSync("sh", ["-c", 'mkfifo "$0"', file]);
    expect(listTrackedFiles(join(root, "sub/.bridle")).length).toBe(name === "index" ? 0 : state.length);
  },
);
