import { readdirSync, rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Works in a new temporary folder and removes it afterwards. Its name contains the process id, as for all of Bridle's. */
export async function inTemporaryFolder<T>(kind: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), `bridle-${kind}-${process.pid}-`));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Removes the remaining temporary folders of this process while it exits. Synchronous, because nothing else runs then. */
export function removeOwnFolders(): void {
  const own = new RegExp(`^bridle-[a-z]+-${process.pid}-`);
  try {
    const remaining = readdirSync(tmpdir()).filter((name) => own.test(name));
    for (const name of remaining) rmSync(join(tmpdir(), name), { recursive: true, force: true, maxRetries: 5 });
  } catch {
    // The process ends with its own exit code.
  }
}
