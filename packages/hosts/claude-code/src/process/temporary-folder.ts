import { mkdtempSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { readStartTime } from "@bridle/core";
import { ConfigError } from "@bridle/protocol";

const prefix = "bridle-host-";
const ownerPattern = /^bridle-host-(\d+)-([A-Za-z0-9:_]+)-/;

/** A folder for one host process. Its name contains the owner's pid and start time. */
export interface TemporaryFolder {
  readonly path: string;
  /**
   * The variables that make the host use the folder, also for its caches. Otherwise a host that ends soon leaves a probe
   * file in the shared folder. It also writes a log of each MCP server, with the errors of our tools in plain text, to
   * the user's cache (observed on 2.1.330).
   */
  readonly variables: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

/** Throws ConfigError if the parent is not writable. */
export function createTemporaryFolder(parent: string): TemporaryFolder {
  const path = makeFolder(parent);
  return {
    path,
    variables: { CLAUDE_CODE_TMPDIR: path, XDG_CACHE_HOME: join(path, "cache") },
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** Removes the folders of dead owners. If the owner is alive or in doubt, the folder stays. */
export async function removeOrphanedFolders(parent: string): Promise<void> {
  const orphaned = readdirSync(parent).filter(isOrphaned);
  await Promise.all(orphaned.map((name) => rm(join(parent, name), { recursive: true, force: true })));
}

function isOrphaned(name: string): boolean {
  const [, pid, startTime] = ownerPattern.exec(name) ?? [];
  return pid !== undefined && startTime !== "unknown" && readStartTime(Number(pid)) !== startTime;
}

function makeFolder(parent: string): string {
  try {
    return mkdtempSync(join(parent, `${prefix}${process.pid}-${readStartTime(process.pid) ?? "unknown"}-`));
  } catch (cause) {
    const message = `The folder for temporary files, ${parent}, is not writable. Set TMPDIR to a writable folder.`;
    throw new ConfigError(message, { field: "TMPDIR", cause });
  }
}
