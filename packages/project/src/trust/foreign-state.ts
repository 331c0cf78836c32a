/** Finds state in a project that may belong to another user. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { EffectiveFile, FolderEffect } from "@bridle/protocol";
import { realPath } from "../effects/effect-values.ts";
import { allBridleFolders, bridleFolder } from "../namespace/folders.ts";
import { listTrackedFiles } from "./git-index.ts";
import { type OwnerEnvironment, readOwnerKey, requireOwnerKey } from "./owner-key.ts";

export const stateFileName = "state.db";

/** A project, and the environment of the user whose key marks state. */
export interface StateOwner extends OwnerEnvironment {
  readonly projectDir: string;
  /** The folder of the state. Default: the project's own state and that of all namespaces. */
  readonly folder?: string;
}

/**
 * Finds state that may have come with the project: event logs that are not marked as this user's, and files that git tracks.
 * Throws ConfigError if the user's key cannot be read.
 */
export async function findForeignState({ projectDir, folder, ...owner }: StateOwner): Promise<EffectiveFile[]> {
  const folders = folder === undefined ? allBridleFolders(projectDir) : [folder];
  return [...(await findForeignLogs(folders, owner)), ...findTrackedState(projectDir)];
}

/** Finds event logs without this user's mark. Accepting such a log marks it. */
async function findForeignLogs(folders: readonly string[], owner: OwnerEnvironment): Promise<EffectiveFile[]> {
  const used = folders.filter((folder) => existsSync(join(folder, stateFileName)));
  if (used.length === 0) return [];
  const { adoptStore, isOwnStore } = await import("@bridle/store-sqlite"); // loads SQLite, which projects without state do not need
  const ownerKey = await readOwnerKey(owner);
  return used
    .filter((folder) => !isOwnStore({ folder, ownerKey }))
    .map((folder) => ({
      path: join(folder, stateFileName),
      effects: [foreignLog],
      accept: async () => adoptStore({ folder, ownerKey: await requireOwnerKey(owner) }),
    }));
}

const subject = "an event log that is not marked as yours: its sessions, and its answers to questions";
const foreignLog: FolderEffect = { kind: "skips-questions", subject, field: stateFileName, content: subject };

const shownNames = 5;

/** Finds state files that git tracks. Git ignores the files that Bridle creates, so a tracked file comes from the author of a commit. */
function findTrackedState(projectDir: string): EffectiveFile[] {
  const path = bridleFolder({ projectDir });
  const effect = existsSync(path) ? trackedStateEffect(projectDir) : undefined;
  return effect === undefined ? [] : [{ path, effects: [effect] }];
}

function trackedStateEffect(projectDir: string): FolderEffect | undefined {
  const tracked = listTrackedFiles(join(realPath(projectDir), ".bridle")).filter(({ name }) => name !== ".gitignore");
  if (tracked.length === 0) return undefined;
  const names = tracked.slice(0, shownNames).map(({ name }) => name || "all");
  const more = tracked.length > shownNames ? ` and ${tracked.length - shownNames} more` : "";
  return {
    kind: "reads",
    subject: `state that is in the repository: ${names.join(", ")}${more}`,
    field: ".bridle",
    content: JSON.stringify(tracked),
  };
}
