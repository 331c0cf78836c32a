import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Environment } from "@bridle/project";

export interface GitState {
  readonly commit: string;
  /** Something differs from the commit, or is not in it; Bridle's own folder aside. */
  readonly dirty: boolean;
}

/** Milliseconds; a repository that takes longer is told as none. */
const timeLimit = 5000;
const mostBytes = 16 * 1024 * 1024;

/** The commit of the repository that a folder is in; `null` where there is none, or no git. Changes nothing there. */
export async function gitState(folder: string, environment: Environment): Promise<GitState | null> {
  const git = (...given: string[]) => run(["-C", folder, "-c", "core.fsmonitor=false", ...given], environment);
  try {
    const commit = await git("rev-parse", "--verify", "HEAD");
    const changes = await git("status", "--porcelain", "--", ":/", ":(top,exclude,glob)**/.bridle/**");
    return { commit: commit.trim(), dirty: changes.trim() !== "" };
  } catch {
    return null; // no git, no repository, no commit in it, or too slow: it is beside the point of a test
  }
}

/** Without the variables of git, which may lead to another repository, and without all that may be a credential. */
async function run(given: readonly string[], { PATH, HOME, SystemRoot }: Environment): Promise<string> {
  const env = { PATH, HOME, SystemRoot, LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0" };
  const { stdout } = await promisify(execFile)("git", given, { env, timeout: timeLimit, maxBuffer: mostBytes });
  return stdout;
}
