/** Files that an agent's file names outside of its folder. They are not the agent's own, so they are read only if they are trusted. */
import { isAbsolute, relative, resolve } from "node:path";
import { type FileProblem, isOutside, type Project, type YamlFile } from "@bridle/project";
import { effectiveFiles } from "../trust/effective-files.ts";
import type { AgentDefinition } from "./agent-definition.ts";

/** Whether a path in the agent's folder is a link that leads out of it. */
export function isLinkOut(baseDir: string, name: string): boolean {
  const way = relative(baseDir, resolve(baseDir, name));
  const isPathOut = way === ".." || /^\.\.[/\\]/.test(way) || isAbsolute(way);
  return !isPathOut && isOutside(baseDir, name);
}

/** The problems of a file without a word of its content, which a message would show to whoever reads the output. */
export function withoutContent<T>(file: YamlFile<T>): YamlFile<T> {
  return { ...file, problems: file.problems.map(hideContent) };
}

export function hideContent({ position }: FileProblem): FileProblem {
  const message = "this is not as it has to be there. It is not shown, because the file is outside of the agent's folder.";
  return { message, position };
}

/**
 * The agent with all files that it names. Throws ConfigError if there are others than its own, and they are not trusted.
 */
export async function readWhole(definition: AgentDefinition, project: Project): Promise<AgentDefinition> {
  if (definition.readOutside === undefined) return definition;
  await project.requireTrust(await effectiveFiles(definition, project));
  return definition.readOutside();
}

/** The same if the files are trusted already. Otherwise the agent as it is. Asks nobody. */
export async function readTrusted(definition: AgentDefinition, project: Project): Promise<AgentDefinition> {
  if (definition.readOutside === undefined) return definition;
  const states = await project.checkTrust(await effectiveFiles(definition, project));
  return states.every(({ isTrusted }) => isTrusted) ? definition.readOutside() : definition;
}
