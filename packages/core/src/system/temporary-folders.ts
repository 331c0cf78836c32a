/** Creates temporary folders whose names contain their owner, so that the folders of a killed process can be removed later. */
import { lstatSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { readStartTime } from "./process-identity.ts";

const ownerPattern = /^\.?bridle-[a-z]+(?:-[a-z]+)*-(\d+)-([A-Za-z0-9:_]+)-[A-Za-z0-9]{6}$/;

/**
 * Returns a prefix for `mkdtemp` that contains the pid and the start time of this process.
 *
 * @example mkdtempSync(join(tmpdir(), temporaryPrefix("bridle-host")));
 */
export function temporaryPrefix(kind: string): string {
  return `${kind}-${process.pid}-${readStartTime(process.pid) ?? "unknown"}-`;
}

/**
 * Removes this user's temporary folders in `parent` if the process that made them has ended. If the process is alive or its state is in
 * doubt, its folders stay. Call this function when you make a new folder, and wait for it only if that matters.
 */
export async function removeOrphanedFolders(parent: string): Promise<void> {
  const orphaned = readdirSync(parent).filter((name) => isOrphaned(name) && isOwnFolder(join(parent, name)));
  await Promise.all(orphaned.map((name) => rm(join(parent, name), { recursive: true, force: true, maxRetries: 3 })));
}

function isOrphaned(name: string): boolean {
  const [, pid, startTime] = ownerPattern.exec(name) ?? [];
  return pid !== undefined && startTime !== "unknown" && readStartTime(Number(pid)) !== startTime;
}

/** Whether a path is a folder of this user. Others may put links and folders with such names into the shared folder for temporary files. */
function isOwnFolder(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isDirectory() === true && (process.getuid === undefined || stats.uid === process.getuid());
}
