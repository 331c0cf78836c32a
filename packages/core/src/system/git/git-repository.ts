/** Where a repository of git is, found without git. */
import { statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readTextFileSync } from "../read-text-file.ts";

export interface Repository {
  /** The folder that the paths start from. */
  readonly root: string;
  readonly gitFolder: string;
}

/**
 * The repository of a folder: the nearest `.git` at it or above it. A bare repository has none, and is not one here: any commit can
 * contain the files that make a folder look like one.
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

/** The folder that a worktree shares with its repository. */
export function commonFolder(gitFolder: string): string {
  try {
    return resolve(gitFolder, readTextFileSync(join(gitFolder, "commondir")).replace(/[\r\n]+$/, ""));
  } catch {
    return gitFolder;
  }
}
