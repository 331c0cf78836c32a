/** Finds a git repository without running git. */
import { statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readTextFileSync } from "../read-text-file.ts";

export interface Repository {
  /** The working tree's root, against which paths are resolved. */
  readonly root: string;
  readonly gitFolder: string;
}

/**
 * Finds the repository of a folder: the nearest `.git` in the folder or above it. Bare repositories are not recognised, because any commit
 * can contain the files that make a folder look like one.
 */
export function findRepository(folder: string): Repository | undefined {
  const git = join(folder, ".git");
  const stats = statSync(git, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return { root: folder, gitFolder: git };
  if (stats?.isFile()) {
    const [, target] = /^gitdir: (.+?)[\r\n]*$/s.exec(readTextFileSync(git)) ?? []; // a worktree or a submodule
    if (target !== undefined) return { root: folder, gitFolder: resolve(folder, target) };
  }
  return dirname(folder) === folder ? undefined : findRepository(dirname(folder));
}

/** Returns the git folder that a worktree shares with its repository. */
export function commonFolder(gitFolder: string): string {
  try {
    return resolve(gitFolder, readTextFileSync(join(gitFolder, "commondir")).replace(/[\r\n]+$/, ""));
  } catch {
    return gitFolder;
  }
}
