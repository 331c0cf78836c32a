/** The programs that git runs when it commits in a repository: its hooks, and the programs that its configuration names. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { commonFolder, findRepository, sha256 } from "@bridle/core";
import type { FolderEffect } from "@bridle/protocol";
import { fileContent, realPath } from "../effects/effect-values.ts";
import { type GitSetting, pathIn, readGitSettings } from "./git-configuration.ts";

/** The effect of a project that commits Bridle's changes. Trust covers the hooks and the configuration, too. */
export function commitEffects(commits: boolean | undefined, projectDir: string): FolderEffect[] {
  if (commits !== true) return [];
  const subject =
    "git commit in the repository of the folder, with its hooks and the programs that its configuration names";
  const readAgain = (): FolderEffect => ({
    kind: "runs",
    subject,
    field: "context.commit",
    content: sha256(JSON.stringify(programsOf(projectDir))),
    readAgain,
  });
  return [readAgain()];
}

function programsOf(projectDir: string): unknown {
  const repository = findRepository(realPath(projectDir));
  if (repository === undefined) return null;
  const { root, gitFolder } = repository;
  const common = commonFolder(gitFolder);
  const settings = readGitSettings([join(common, "config"), join(gitFolder, "config.worktree")]);
  const named = settings.filter(({ key }) => key === "core.hookspath").map(({ value }) => pathIn(value, root));
  return {
    settings: settings
      .filter((setting) => !isPlain(setting))
      .map(({ key, part, value, file }) => [file, key, part, value]),
    hooks: [join(common, "hooks"), ...named].flatMap(filesOf).map((path) => [path, fileContent(path)]),
  };
}

/** Settings that git writes for work with branches and remotes. They name no program, so a new branch or remote requires no new trust. */
function isPlain({ key, part }: GitSetting): boolean {
  return (
    part !== "" &&
    /^(?:branch\.(?:remote|merge|rebase|vscode-merge-base)|remote\.(?:url|pushurl|fetch|tagopt|gtype))$/.test(key)
  );
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
