import { mkdtempSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { startTimeOf } from "@bridle/core";
import { ConfigError } from "@bridle/protocol";

const prefix = "bridle-host-";
const ownersName = /^bridle-host-(\d+)-([A-Za-z0-9:_]+)-/;

/** A folder for one host process. Its name says whose it is: pid and start time of the owner. */
export interface TemporaryFolder {
  readonly path: string;
  /**
   * What leads the host there, its caches too: in the shared folder it leaves a probe file whenever it ends soon, and
   * in the user's cache a log of every MCP server, with the errors of our tools in plain text (observed on 2.1.330).
   */
  readonly variables: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

/** Throws ConfigError when the parent cannot be written to. */
export function createTemporaryFolder(parent: string): TemporaryFolder {
  const path = makeFolder(parent);
  return {
    path,
    variables: { CLAUDE_CODE_TMPDIR: path, XDG_CACHE_HOME: join(path, "cache") },
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** Removes the folders that dead owners left behind; those of the living, and all whose owner is in doubt, stay. */
export async function reapTemporaryFolders(parent: string): Promise<void> {
  const left = readdirSync(parent).filter(isLeftBehind);
  await Promise.all(left.map((name) => rm(join(parent, name), { recursive: true, force: true })));
}

function isLeftBehind(name: string): boolean {
  const [, pid, startTime] = ownersName.exec(name) ?? [];
  return pid !== undefined && startTime !== "unknown" && startTimeOf(Number(pid)) !== startTime;
}

function makeFolder(parent: string): string {
  try {
    return mkdtempSync(join(parent, `${prefix}${process.pid}-${startTimeOf(process.pid) ?? "unknown"}-`));
  } catch (cause) {
    const message = `Nothing can be written to the folder for temporary files, ${parent}. Set TMPDIR to one that can be written to.`;
    throw new ConfigError(message, { field: "TMPDIR", cause });
  }
}
