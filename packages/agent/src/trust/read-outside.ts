/** Reads the files that an agent names outside of its folder, once they are trusted. */
import type { Project } from "@bridle/project";
import type { AgentDefinition } from "../definition/agent-definition.ts";
import { effectiveFiles } from "./effective-files.ts";

/**
 * The agent with all files that it names. Throws ConfigError if there are others than its own, and they are not trusted.
 */
export async function readWhole(definition: AgentDefinition, project: Project): Promise<AgentDefinition> {
  if (definition.readOutside === undefined) return definition;
  await project.requireTrust(await effectiveFiles(definition, project));
  return definition.readOutside();
}

/** The same if the files are trusted already, without asking. Otherwise the agent unchanged. */
export async function readTrusted(definition: AgentDefinition, project: Project): Promise<AgentDefinition> {
  if (definition.readOutside === undefined) return definition;
  const states = await project.checkTrust(await effectiveFiles(definition, project));
  return states.every(({ isTrusted }) => isTrusted) ? definition.readOutside() : definition;
}
