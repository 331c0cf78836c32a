import { realpath } from "node:fs/promises";
import { isAbsolute, relative, sep } from "node:path";

/** Whether an existing path is outside of a folder. Follows links, because a folder of unknown origin may contain a link to any file. */
export async function leadsOutOf(folder: string, path: string): Promise<boolean> {
  const inside = relative(await realpath(folder), await realpath(path));
  return inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside);
}
