/** The folders that `skills` of an agent's file names. Nothing in them is read. */
import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { isOutside } from "@bridle/project";

export const skillFile = "SKILL.md";

/** The folder itself if it is a skill, else the skills in it, as paths that begin like the given one. */
export function skillFolders(path: string, baseDir: string): string[] {
  const folder = resolve(baseDir, path);
  if (isSkill(folder)) return [path];
  return readdirSync(folder)
    .sort()
    .map((name) => join(path, name))
    .filter((each) => isSkill(resolve(baseDir, each)));
}

/** Skills that a link in a folder of the agent takes from outside of it. A path that leads outside itself has none. */
export function linkedSkills(path: string, baseDir: string): string[] {
  if (isOutside(baseDir, path)) return [];
  try {
    return skillFolders(path, baseDir).filter((each) => isOutside(baseDir, each));
  } catch {
    return []; // opening it reports the problem
  }
}

function isSkill(folder: string): boolean {
  return existsSync(join(folder, skillFile));
}
