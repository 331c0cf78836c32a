import { statSync } from "node:fs";
import { resolve } from "node:path";
import { type AnyTool, ConfigError, defineTool, type OpenedTools, type ToolKindContext } from "@bridle/protocol";
import { z } from "zod";
import type { SkillsConfig } from "../config/skills-config.ts";
import { readSkill, type Skill } from "./read-skill.ts";
import { listFiles, readSkillFile } from "./skill-files.ts";
import { skillFolders } from "./skill-folders.ts";

/**
 * Opens skills as one tool that loads them, with instructions that list them.
 *
 * @throws ConfigError for a folder without skills, an invalid SKILL.md, or two skills with the same name.
 */
export async function openSkills(
  config: SkillsConfig,
  { baseDir, logger }: Pick<ToolKindContext, "baseDir" | "logger">,
): Promise<OpenedTools> {
  const folders = config.flatMap((path) => foldersIn(path, baseDir));
  const skills = [...new Set(folders)].map((folder) => readSkill(folder, { baseDir, logger }));
  const byName = new Map<string, Skill>();
  for (const skill of skills) {
    const other = byName.get(skill.name);
    if (other) throw doubled(skill, other);
    byName.set(skill.name, skill);
  }
  return { tools: [loadSkill(byName)], instructions: describe(skills), close: async () => {} };
}

/** Returns the folder itself if it is a skill, or else the skills in it. */
function foldersIn(path: string, baseDir: string): string[] {
  const folder = resolve(baseDir, path);
  requireFolder(folder, path);
  const found = skillFolders(path, baseDir).map((each) => resolve(baseDir, each));
  if (found.length > 0) return found;
  throw new ConfigError(
    `The skill folder ${path} has no SKILL.md, and neither does a folder in it. Write one, or correct the path.`,
    { field: "skills" },
  );
}

function requireFolder(folder: string, path: string): void {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return;
  const problem = stats ? "is not a folder. Name the folder of SKILL.md." : "does not exist. Correct the path.";
  throw new ConfigError(`The skill folder ${path} ${problem}`, { field: "skills" });
}

function loadSkill(skills: ReadonlyMap<string, Skill>): AnyTool {
  return defineTool({
    name: "load_skill",
    description: "Load the instructions of a skill, or one of its files. Then follow them.",
    input: z.object({
      name: z.enum([...skills.keys()]).describe("The name of the skill."),
      file: z.string().optional().describe("The path of a file of the skill. Default: its instructions."),
    }),
    annotations: { readOnly: true, idempotent: true },
    execute: async ({ name, file }) => {
      const skill = skills.get(name);
      if (!skill) throw new Error(`There is no skill ${name}.`);
      return file === undefined ? formatBody(skill) : readSkillFile(skill.folder, file);
    },
  });
}

function formatBody({ name, body, folder }: Skill): string {
  const files = listFiles(folder);
  if (files.length === 0) return body;
  const list = files.map((file) => `- ${file}`).join("\n");
  return `${body}\n\nFiles of this skill. Read one with load_skill, { "name": "${name}", "file": … }:\n${list}`;
}

function describe(skills: readonly Skill[]): string {
  const list = skills.map(({ name, description }) => `- ${name}: ${description}`).join("\n");
  return `You have skills: instructions for certain tasks. Before you start a task that a skill covers, call load_skill with its name and follow its instructions.\n\n${list}`;
}

function doubled(skill: Skill, other: Skill): ConfigError {
  return new ConfigError(`Two skills are named "${skill.name}": ${other.file} and ${skill.file}. Rename one of them.`, {
    field: "skills",
  });
}
