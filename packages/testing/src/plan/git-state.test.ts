import { execFileSync } from "node:child_process";
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { gitState } from "./git-state.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "bridle-git-"));
  onTestFinished(() => rm(folder, { recursive: true }));
});

const environment = () => ({ PATH: process.env.PATH, HOME: folder });
const git = (...given: string[]) =>
  execFileSync("git", ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@b.example", ...given], {
    env: environment(),
    encoding: "utf8",
  }).trim();

test("a folder in a repository has its commit, and is dirty with uncommitted files", async () => {
  git("init", "--quiet");
  await writeFile(join(folder, "agent.yaml"), "name: desk\n");
  git("add", ".");
  git("commit", "--quiet", "-m", "Begin");
  const commit = git("rev-parse", "HEAD");
  await mkdir(join(folder, "deep/.bridle/test-runs"), { recursive: true });
  await writeFile(join(folder, "deep/.bridle/test-runs/x.jsonl"), "");
  expect(await gitState(join(folder, "deep"), environment())).toEqual({ commit, dirty: false });
  await writeFile(join(folder, "grader.ts"), "");
  expect(await gitState(join(folder, "deep"), environment())).toEqual({ commit, dirty: true });
});

test("variables of git do not select another repository", async () => {
  git("init", "--quiet");
  const outside = await mkdtemp(join(tmpdir(), "bridle-no-git-"));
  onTestFinished(() => rm(outside, { recursive: true }));
  expect(await gitState(outside, { ...environment(), GIT_DIR: join(folder, ".git") })).toBeNull();
});

test("a repository without a commit, a folder without one, and a machine without git have none", async () => {
  expect(await gitState(folder, environment())).toBeNull();
  git("init", "--quiet");
  expect(await gitState(folder, environment())).toBeNull();
  expect(await gitState(folder, { PATH: folder })).toBeNull();
});

/** Creates a repository with one commit of one file. */
async function begin(...options: string[]): Promise<string> {
  git("init", "--quiet", ...options);
  await writeFile(join(folder, "agent.yaml"), "name: desk\n");
  git("add", ".");
  git("commit", "--quiet", "-m", "Begin");
  return git("rev-parse", "HEAD");
}

const state = (path = folder) => gitState(path, environment());

test("a linked worktree has its own commit and its own changes", async () => {
  const commit = await begin();
  const linked = join(folder, ".bridle/linked");
  git("worktree", "add", "--quiet", linked);
  expect(await state(linked)).toEqual({ commit, dirty: false });
  await writeFile(join(linked, "agent.yaml"), "name: other\n");
  expect(await state(linked)).toEqual({ commit, dirty: true });
  expect(await state()).toEqual({ commit, dirty: false });
});

test("branches in one file, a split index, and objects of another repository are read", async () => {
  const commit = await begin();
  git("pack-refs", "--all");
  git("update-index", "--split-index");
  expect(await state()).toEqual({ commit, dirty: false });
  const copy = await mkdtemp(join(tmpdir(), "bridle-git-copy-"));
  onTestFinished(() => rm(copy, { recursive: true }));
  git("clone", "--quiet", "--shared", folder, copy);
  expect(await state(copy)).toEqual({ commit, dirty: false });
});

test("a repository with long hashes is read", async () => {
  const commit = await begin("--object-format=sha256");
  expect(commit).toHaveLength(64);
  expect(await state()).toEqual({ commit, dirty: false });
});

test("files that the repository ignores, and line ends that it converts, are no changes", async () => {
  git("init", "--quiet");
  git("config", "core.autocrlf", "true");
  await writeFile(join(folder, ".git/info/exclude"), "*.log\n");
  await writeFile(join(folder, "agent.yaml"), "name: desk\r\n");
  await writeFile(join(folder, "x.log"), "");
  git("add", ".");
  git("commit", "--quiet", "-m", "Begin");
  await utimes(join(folder, "agent.yaml"), 1, 1);
  expect(await state()).toMatchObject({ dirty: false });
  git("config", "core.autocrlf", "false");
  expect(await state()).toMatchObject({ dirty: true });
});

test("a file that only a filter could compare leaves it open, and another change does not", async () => {
  await begin();
  git("config", "filter.upper.clean", "tr a-z A-Z");
  await writeFile(join(folder, ".gitattributes"), "big.txt filter=upper\n");
  await writeFile(join(folder, "big.txt"), "big\n");
  await utimes(join(folder, "big.txt"), 2, 2); // older than the index, so that git need not read the file
  git("add", ".");
  git("commit", "--quiet", "-m", "Filter");
  expect(await state()).toMatchObject({ dirty: false });
  await utimes(join(folder, "big.txt"), 1, 1);
  expect(await state()).toBeNull();
  await writeFile(join(folder, "agent.yaml"), "name: other\n");
  expect(await state()).toMatchObject({ dirty: true });
});

test("a change in a submodule counts, and so does another commit of it", async () => {
  await begin();
  const source = await mkdtemp(join(tmpdir(), "bridle-git-module-"));
  onTestFinished(() => rm(source, { recursive: true }));
  git("clone", "--quiet", folder, source);
  git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", source, "module");
  git("commit", "--quiet", "-m", "Add");
  expect(await state()).toMatchObject({ dirty: false });
  const file = join(folder, "module/agent.yaml");
  await writeFile(file, "name: other\n");
  expect(await state()).toMatchObject({ dirty: true });
  git("-C", "module", "commit", "--quiet", "--all", "-m", "Change");
  expect(await state()).toMatchObject({ dirty: true });
});

test.each([
  ["branches in tables", "[core]\n\trepositoryformatversion = 1\n[extensions]\n\trefStorage = reftable"],
  ["files that are elsewhere", "[core]\n\tworktree = /"],
])("a repository with %s counts as none", async (_what, text) => {
  await begin();
  await appendFile(join(folder, ".git/config"), `\n${text}\n`);
  expect(await state()).toBeNull();
});

test("reading leaves the index as it is, and no folder of its own behind", async () => {
  await begin();
  await utimes(join(folder, "agent.yaml"), 1, 1); // git would refresh the index
  const before = await readFile(join(folder, ".git/index"));
  const place = await mkdtemp(join(tmpdir(), "bridle-git-place-"));
  onTestFinished(() => rm(place, { recursive: true }));
  vi.stubEnv("TMPDIR", place);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await state()).toMatchObject({ dirty: false });
  expect(await readFile(join(folder, ".git/index"))).toEqual(before);
  expect(await readdir(place)).toEqual([]);
});
