/** What git runs when it commits in a repository: its hooks, and the programs that its configuration names. */
import { readdirSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { readTextFileSync, sha256 } from "@bridle/core";
import type { FolderEffect } from "@bridle/protocol";
import { fileContent, realPath } from "./effect-values.ts";
import { commonFolder, findRepository } from "./git-repository.ts";

/** The effect of a project that commits what Bridle changes. Trust is for the hooks and the configuration, too. */
export function commitEffects(commits: boolean | undefined, projectDir: string): FolderEffect[] {
  if (commits !== true) return [];
  const subject =
    "git commit in the repository of the folder, with its hooks and the programs that its configuration names";
  return [{ kind: "runs", subject, field: "context.commit", content: sha256(JSON.stringify(programsOf(projectDir))) }];
}

function programsOf(projectDir: string): unknown {
  const repository = findRepository(realPath(projectDir));
  if (repository === undefined) return null;
  const { root, gitFolder } = repository;
  const common = commonFolder(gitFolder);
  const texts = [join(common, "config"), join(gitFolder, "config.worktree")].map(readConfiguration);
  const named = (key: string, base: string) =>
    texts
      .flatMap((lines) => lines.map((line) => new RegExp(`\\b${key}\\s*=\\s*"?([^"]+?)"?\\s*$`, "i").exec(line)?.[1]))
      .flatMap((path) => (path === undefined ? [] : [isAbsolute(path) ? path : resolve(base, path)]));
  const folders = [join(common, "hooks"), ...named("hooksPath", root)];
  return {
    texts,
    hooks: folders.flatMap(filesOf).map((path) => [path, fileContent(path)]),
    included: named("path", common).map((path) => [path, fileContent(path)]),
  };
}

/** Sections that git writes when somebody works with branches and remotes, and the keys in them that name no program. */
const plainSection = /^\[(?:branch|remote) "[^"\\\]]*"\]$/;
const plainKey = /^(?:remote|merge|rebase|url|pushurl|fetch|tagopt|gtype|vscode-merge-base)\s*=\s*[^\\"[\]]*$/i;

/** The lines that may matter to a commit, so that another branch or remote asks nobody. */
function readConfiguration(path: string): string[] {
  const lines = tryRead(path)
    .split("\n")
    .map((line) => line.trim());
  let isPlain = false;
  return lines.filter((line) => {
    if (line.startsWith("[")) isPlain = plainSection.test(line);
    return !(isPlain && (plainSection.test(line) || plainKey.test(line))) && line !== "";
  });
}

function tryRead(path: string): string {
  try {
    return readTextFileSync(path);
  } catch {
    return "";
  }
}

function filesOf(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.flatMap((entry) =>
      entry.isDirectory() || entry.name.endsWith(".sample") ? [] : [join(folder, entry.name)],
    );
  } catch {
    return [];
  }
}
