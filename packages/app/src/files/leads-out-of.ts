import { realpath } from "node:fs/promises";
import { isAbsolute, relative, sep } from "node:path";

/** Whether a path that exists is outside of a folder. Follows links: a folder that came from elsewhere may contain one to any file. */
export async function leadsOutOf(folder: string, path: string): Promise<boolean> {
  const inside = relative(await realpath(folder), await realpath(path));
  return inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside);
}
