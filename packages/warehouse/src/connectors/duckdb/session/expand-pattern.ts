import { statSync } from "node:fs";
import { glob } from "node:fs/promises";

/** Finds the files of a path, sorted: the file itself if it exists, or else the files that match the path's `*`, `?` and `**`. */
export async function expandPattern(path: string): Promise<readonly string[]> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile()) return [path];
  const files: string[] = [];
  for await (const match of glob(path)) if (statSync(match, { throwIfNoEntry: false })?.isFile()) files.push(match);
  return files.sort();
}
