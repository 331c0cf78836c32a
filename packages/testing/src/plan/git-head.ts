import { join } from "node:path";
import { readTextFileSync } from "@bridle/core";

const maxSteps = 5;
const commit = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

interface GitFolders {
  readonly gitFolder: string;
  /** The folder that worktrees share, which contains the branches. */
  readonly common: string;
}

/**
 * Reads the current commit of a repository from its files; undefined before the first commit, or if its branches are not stored as files.
 */
export function readGitHead({ gitFolder, common }: GitFolders): string | undefined {
  let text = read(join(gitFolder, "HEAD"));
  for (let step = 0; step < maxSteps && text !== undefined; step++) {
    if (commit.test(text)) return text;
    const [, name] = /^ref:\s*(refs\/\S+)$/.exec(text) ?? [];
    if (name === undefined || name.split("/").includes("..")) return undefined;
    text = read(join(gitFolder, name)) ?? read(join(common, name)) ?? packed(common, name);
  }
  return undefined;
}

function packed(common: string, name: string): string | undefined {
  const lines = read(join(common, "packed-refs"))?.split("\n") ?? [];
  return lines.find((line) => line.endsWith(` ${name}`))?.split(" ")[0];
}

function read(path: string): string | undefined {
  try {
    return readTextFileSync(path).trim();
  } catch {
    return undefined;
  }
}
