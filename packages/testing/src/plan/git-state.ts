import { realpathSync } from "node:fs";
import { join } from "node:path";
import { findRepository, type Repository } from "@bridle/core";
import type { Environment } from "@bridle/project";
import { PrivateGit } from "./private-git.ts";

export interface GitState {
  readonly commit: string;
  /** Whether files differ from the commit or are missing in it, except in Bridle's own folder. */
  readonly dirty: boolean;
}

/** The time limit in milliseconds. A slower repository is treated as no repository. */
const timeLimit = 10_000;

/**
 * Returns the commit of a folder's repository; `null` without a repository or git, or if this would require running a program that the
 * repository or the user configured. Changes nothing in the repository, and runs nothing from it.
 */
export async function gitState(folder: string, environment: Environment): Promise<GitState | null> {
  try {
    const repository = findRepository(realpathSync(folder));
    if (repository === undefined) return null;
    return await readState(repository, environment, AbortSignal.timeout(timeLimit));
  } catch {
    return null; // no git, no repository, no commit, or too slow: tests do not need it
  }
}

async function readState(
  repository: Repository,
  environment: Environment,
  signal: AbortSignal,
): Promise<GitState | null> {
  using git = new PrivateGit(environment, signal);
  const commit = await git.use(repository);
  if (commit === undefined) return null;
  const changes = await readChanges(git);
  const submodules = await readSubmodules(git, repository, environment, signal);
  const isKnown = !changes.includes("unknown") && !submodules.includes("unknown");
  const dirty = changes.includes("changed") || submodules.includes("changed");
  return dirty || isKnown ? { commit, dirty } : null;
}

type Change = "changed" | "unknown" | "unchanged";

async function readChanges(git: PrivateGit): Promise<readonly Change[]> {
  const pathspecs = [":/", ":(top,exclude,glob)**/.bridle/**"];
  const words = ["--porcelain", "-z", "--no-renames", "--untracked-files=normal", "--ignore-submodules=dirty"];
  const entries = (await git.run(["status", ...words, "--", ...pathspecs])).split("\0").filter((entry) => entry !== "");
  if (entries.length === 0) return [];
  const inFolder = entries.filter((entry) => entry.startsWith(" M "));
  if (inFolder.length < entries.length) return ["changed"];
  return filtered(
    git,
    inFolder.map((entry) => entry.slice(3)),
  );
}

/**
 * Classifies changed files. A file that a filter writes seems to differ from the commit until the filter has read it, and no filter is run.
 */
async function filtered(git: PrivateGit, paths: readonly string[]): Promise<readonly Change[]> {
  const output = await git.run(["check-attr", "-z", "--stdin", "filter"], paths.map((path) => `${path}\0`).join(""));
  const values = output.split("\0").filter((_, index) => index % 3 === 2);
  return values.map((value) => (value === "unspecified" || value === "unset" ? "changed" : "unknown"));
}

/** Lists changes in the submodules. Git would start itself in each of them, with the submodule's configuration. */
async function readSubmodules(
  git: PrivateGit,
  { root }: Repository,
  environment: Environment,
  signal: AbortSignal,
): Promise<readonly Change[]> {
  const settings = await git.readSettings(join(root, ".gitmodules"));
  const paths = [...settings].flatMap(([name, path]) => (/^submodule\..*\.path$/s.test(name) ? [path] : []));
  if (paths.length === 0) return [];
  const listed = await git.run(["--literal-pathspecs", "ls-files", "--stage", "-z", "--", ...paths.map(fromTop(root))]);
  const links = listed
    .split("\0")
    .flatMap((line) => (line.startsWith("160000 ") ? [line.slice(line.indexOf("\t") + 1)] : []));
  const changes: Change[] = [];
  for (const path of links) {
    const folder = join(root, path);
    const repository = findRepository(folder);
    if (repository?.root !== folder) continue; // the submodule was not fetched
    const state = await readState(repository, environment, signal);
    changes.push(state === null ? "unknown" : state.dirty ? "changed" : "unchanged");
  }
  return changes;
}

const fromTop = (root: string) => (path: string) => join(root, path);
