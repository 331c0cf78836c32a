import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Environment } from "@bridle/project";

export interface GitState {
  readonly commit: string;
  /** Whether files differ from the commit or are not in it, except for Bridle's own folder. */
  readonly dirty: boolean;
}

/** Milliseconds. A repository that takes longer counts as none. */
const timeLimit = 5000;
const mostBytes = 16 * 1024 * 1024;

/** The commit of the repository of a folder; `null` without a repository or git. Changes nothing in the repository. */
export async function gitState(folder: string, environment: Environment): Promise<GitState | null> {
  const git = (...given: string[]) => run(["-C", folder, "-c", "core.fsmonitor=false", ...given], environment);
  try {
    const commit = await git("rev-parse", "--verify", "HEAD");
    const changes = await git("status", "--porcelain", "--", ":/", ":(top,exclude,glob)**/.bridle/**");
    return { commit: commit.trim(), dirty: changes.trim() !== "" };
  } catch {
    return null; // no git, no repository, no commit, or too slow: tests do not need it
  }
}

/** Without the variables of git, which could point to another repository, and without possible credentials. */
async function run(given: readonly string[], { PATH, HOME, SystemRoot }: Environment): Promise<string> {
  const env = { PATH, HOME, SystemRoot, LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0" };
  const { stdout } = await promisify(execFile)("git", given, { env, timeout: timeLimit, maxBuffer: mostBytes });
  return stdout;
}
