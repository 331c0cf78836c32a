/** Lists and reads the files in a skill's folder. No path or link can reach a file outside of the folder. */
import { readdirSync, realpathSync, statSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import { readRegularFileSync } from "@bridle/core";
import { suggestion } from "@bridle/protocol";

/** The number of files that are listed for the model. More files can be read, but are not listed. */
const maxListed = 100;
const maxBytes = 1_000_000;

/** Returns sorted paths relative to the folder, with `/`, without SKILL.md and hidden files. */
export function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => path !== "SKILL.md" && !path.split("/").some((part) => part.startsWith(".")))
    .sort()
    .slice(0, maxListed);
}

/** Reads the text of a file. If it cannot be read, throws an Error with a message for the model. */
export function readSkillFile(folder: string, path: string): string {
  const real = realPathWithin(folder, path);
  const stats = statSync(real);
  if (!stats.isFile()) throw new Error(`${path} is not a file.`);
  if (stats.size > maxBytes) throw new Error(`${path} is too large: ${stats.size} bytes; the limit is ${maxBytes}.`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readRegularFileSync(real, maxBytes));
  } catch {
    throw new Error(`${path} is not text.`);
  }
}

/** Returns the real path of a file in the folder. Throws an Error if it is outside of the folder or does not exist. */
export function realPathWithin(folder: string, path: string): string {
  const root = realpathSync(folder);
  const outside = new Error(`${path} is outside of the skill's folder. Use a path relative to that folder.`);
  if (isAbsolute(path) || !isBelow(root, join(root, path))) throw outside;
  const real = resolveLinks(root, path);
  if (!isBelow(root, real)) throw outside;
  return real;
}

function resolveLinks(root: string, path: string): string {
  try {
    return realpathSync(join(root, path));
  } catch {
    throw new Error(`The skill has no file ${path}.${suggestion(path, listFiles(root))}`);
  }
}

function isBelow(root: string, path: string): boolean {
  return path.startsWith(root + sep);
}
