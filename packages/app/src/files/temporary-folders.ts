import { readdirSync, rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeOrphanedFolders, temporaryPrefix } from "@bridle/core";

/** Does work in a new temporary folder and removes the folder afterwards. First removes the folders of processes that were killed. */
export async function inTemporaryFolder<T>(kind: string, work: (folder: string) => Promise<T>): Promise<T> {
  await removeOrphanedFolders(tmpdir()).catch(() => {});
  const folder = await mkdtemp(join(tmpdir(), temporaryPrefix(`bridle-${kind}`)));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Removes the remaining temporary folders of this process while it exits. Synchronous, because nothing else runs then. */
export function removeOwnFolders(): void {
  const own = new RegExp(`^bridle-[a-z-]+-${process.pid}-`);
  try {
    const remaining = readdirSync(tmpdir()).filter((name) => own.test(name));
    for (const name of remaining) rmSync(join(tmpdir(), name), { recursive: true, force: true, maxRetries: 5 });
  } catch {
    // the process ends with its own exit code
  }
}
