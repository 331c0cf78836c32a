/** Reads the files that an agent names outside of its folder, once they are trusted. */
import type { Project } from "@bridle/project";
import type { AgentDefinition } from "../definition/agent-definition.ts";
import { effectiveFiles } from "./effective-files.ts";

/** Reads all files that the agent names. Throws ConfigError if some of them are outside of its folder and not trusted. */
export async function readWhole(definition: AgentDefinition, project: Project): Promise<AgentDefinition> {
  if (definition.readOutside === undefined) return definition;
  await project.requireTrust(await effectiveFiles(definition, project));
  return definition.readOutside();
}

/** Reads all files that the agent names if they are trusted already, without asking. If they are not, returns the agent unchanged. */
export async function readTrusted(definition: AgentDefinition, project: Project): Promise<AgentDefinition> {
  if (definition.readOutside === undefined) return definition;
  const states = await project.checkTrust(await effectiveFiles(definition, project));
  return states.every(({ isTrusted }) => isTrusted) ? definition.readOutside() : definition;
}
