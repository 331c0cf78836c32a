/** The files of a skill's folder: nothing outside of it can be reached, by a path or by a link. */
import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import { suggestion } from "@bridle/protocol";

/** Files that are named to the model; more than that are there, but not listed. */
const maxListed = 100;
const maxBytes = 1_000_000;

/** Paths from the folder on, with `/`, sorted; without SKILL.md and hidden files. */
export function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => path !== "SKILL.md" && !path.split("/").some((part) => part.startsWith(".")))
    .sort()
    .slice(0, maxListed);
}

/** The text of a file. Throws an Error for the model where there is none in the folder. */
export function readSkillFile(folder: string, path: string): string {
  const real = realPathWithin(folder, path);
  const stats = statSync(real);
  if (!stats.isFile()) throw new Error(`${path} is no file.`);
  if (stats.size > maxBytes)
    throw new Error(`${path} is too large: ${stats.size} bytes, and at most ${maxBytes} are read.`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(real));
  } catch {
    throw new Error(`${path} is not text.`);
  }
}

/** Where a path of the folder leads to in the end. Throws an Error where that is outside of it, or nothing. */
export function realPathWithin(folder: string, path: string): string {
  const root = realpathSync(folder);
  const outside = new Error(`${path} is outside of the skill's folder. Give a path from that folder on.`);
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
