/** Finds the programs that git runs when it commits in a repository: its hooks, and the programs that its configuration names. */
import { readdirSync } from "node:fs";
import { type BytePath, findGitPrograms, findRepository, fromBytePath, type GitSetting, sha256 } from "@bridle/core";
import type { FolderEffect } from "@bridle/protocol";
import type { Environment } from "../config/variables.ts";
import { fileContent, realPath } from "../effects/effect-values.ts";

/** Lists the effect of a project that commits Bridle's changes. Trust covers the hooks and the configuration, too. */
export function commitEffects(
  commits: boolean | undefined,
  projectDir: string,
  environment: Environment,
): FolderEffect[] {
  if (commits !== true) return [];
  const subject =
    "git commit in the repository of the folder, with its hooks and the programs that its configuration names";
  const readAgain = (): FolderEffect => ({
    kind: "runs",
    subject,
    field: "context.commit",
    content: sha256(JSON.stringify(programsOf(projectDir, environment))),
    readAgain,
  });
  return [readAgain()];
}

function programsOf(projectDir: string, environment: Environment): unknown {
  const repository = findRepository(realPath(projectDir));
  if (repository === undefined) return null;
  const { settings, hookFolders } = findGitPrograms(repository, environment);
  return {
    settings: settings
      .filter((setting) => !isPlain(setting))
      .map(({ key, part, value, file }) => [file, key, part, value]),
    hooks: hookFolders.flatMap(filesOf).map((path) => [path, fileContent(fromBytePath(path))]),
  };
}

/** Whether git writes a setting for work with branches and remotes. Such settings name no program, so they require no new trust. */
function isPlain({ key, part }: GitSetting): boolean {
  return (
    part !== "" &&
    /^(?:branch\.(?:remote|merge|rebase|vscode-merge-base)|remote\.(?:url|pushurl|fetch|tagopt|gtype))$/.test(key)
  );
}

function filesOf(folder: BytePath): BytePath[] {
  try {
    const entries = readdirSync(fromBytePath(folder), { withFileTypes: true, encoding: "buffer" });
    return entries.flatMap((entry) => {
      const name = entry.name.toString("latin1");
      return entry.isDirectory() || name.endsWith(".sample") ? [] : [`${folder}/${name}`];
    });
  } catch {
    return [];
  }
}
