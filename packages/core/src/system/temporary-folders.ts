/** Temporary folders that record their owner, so that those of a killed process can be removed later. */
import { lstatSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { readStartTime } from "./process-identity.ts";

const ownerPattern = /^\.?bridle-[a-z]+(?:-[a-z]+)*-(\d+)-([A-Za-z0-9:_]+)-[A-Za-z0-9]{6}$/;

/**
 * The start of the name of a folder for `mkdtemp`, with the pid and the start time of this process.
 *
 * @example mkdtempSync(join(tmpdir(), temporaryPrefix("bridle-host")));
 */
export function temporaryPrefix(kind: string): string {
  return `${kind}-${process.pid}-${readStartTime(process.pid) ?? "unknown"}-`;
}

/**
 * Removes this user's temporary folders in a folder if the process that made them has ended. If it is alive or in doubt,
 * they stay. Call it when a new folder is made, and wait for it only if that matters.
 */
export async function removeOrphanedFolders(parent: string): Promise<void> {
  const orphaned = readdirSync(parent).filter((name) => isOrphaned(name) && isOwnFolder(join(parent, name)));
  await Promise.all(orphaned.map((name) => rm(join(parent, name), { recursive: true, force: true, maxRetries: 3 })));
}

function isOrphaned(name: string): boolean {
  const [, pid, startTime] = ownerPattern.exec(name) ?? [];
  return pid !== undefined && startTime !== "unknown" && readStartTime(Number(pid)) !== startTime;
}

/** The folder for temporary files is shared: others may put links and folders with such names into it. */
function isOwnFolder(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isDirectory() === true && (process.getuid === undefined || stats.uid === process.getuid());
}
