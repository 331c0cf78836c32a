import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
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
