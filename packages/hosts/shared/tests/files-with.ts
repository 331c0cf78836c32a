import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Lists the files of a folder, at any depth, that contain the text. A process may remove files during the search. */
export async function filesWith(text: string, folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = entries.map(async (entry) => {
    const path = join(folder, entry.name);
    try {
      if (entry.isDirectory()) return await filesWith(text, path);
      return entry.isFile() && (await readFile(path, "latin1")).includes(text) ? [path] : [];
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
      throw error;
    }
  });
  return (await Promise.all(found)).flat();
}
