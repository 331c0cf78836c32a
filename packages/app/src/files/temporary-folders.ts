import { readdirSync, rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Works in a new folder that is gone afterwards. As all of Bridle's, it has the process in its name. */
export async function inTemporaryFolder<T>(kind: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), `bridle-${kind}-${process.pid}-`));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Removes, while the process exits, the temporary folders of this process that nobody had the time to remove. */
export function removeOwnFolders(): void {
  const own = new RegExp(`^bridle-[a-z]+-${process.pid}-`);
  try {
    const left = readdirSync(tmpdir()).filter((name) => own.test(name));
    for (const name of left) rmSync(join(tmpdir(), name), { recursive: true, force: true, maxRetries: 5 });
  } catch {
    // The process ends with its own exit code.
  }
}
