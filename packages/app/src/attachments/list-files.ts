import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";

/** The maximum number of completions. */
const max = 50;

/**
 * Returns the paths in one folder that begin with `start`. Folders end with a slash. Hidden files are listed only if `start` begins with a
 * dot.
 */
export async function listPaths(start: string, cwd: string): Promise<readonly string[]> {
  const folder = start.endsWith("/") ? start : dirname(start);
  const name = start.endsWith("/") ? "" : basename(start);
  const prefix = start.slice(0, start.length - name.length);
  return (await entriesOf(resolve(cwd, folder === "" ? "." : folder)))
    .filter((entry) => entry.name.startsWith(name) && (name.startsWith(".") || !entry.name.startsWith(".")))
    .map((entry) => `${prefix}${entry.name}${entry.isDirectory() ? "/" : ""}`)
    .sort()
    .slice(0, max);
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
