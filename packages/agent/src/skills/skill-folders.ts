/** Lists the folders that `skills` in an agent file names. Reads no files in them. */
import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { isOutside } from "@bridle/project";

export const skillFile = "SKILL.md";

/** Returns the folder itself if it is a skill, or else the skills in it, as paths with the same beginning as the given path. */
export function skillFolders(path: string, baseDir: string): string[] {
  const folder = resolve(baseDir, path);
  if (isSkill(folder)) return [path];
  return readdirSync(folder)
    .sort()
    .map((name) => join(path, name))
    .filter((each) => isSkill(resolve(baseDir, each)));
}

/** Lists the skills outside of the agent's folder that links inside of it lead to. Empty for a path that is itself outside. */
export function linkedSkills(path: string, baseDir: string): string[] {
  if (isOutside(baseDir, path)) return [];
  try {
    return skillFolders(path, baseDir).filter((each) => isOutside(baseDir, each));
  } catch {
    return []; // opening the skills reports the problem
  }
}

function isSkill(folder: string): boolean {
  return existsSync(join(folder, skillFile));
}
