import { openProject, type Project, type ProjectOptions, type Settings } from "@bridle/project";
import { modelOptions } from "./agent-model.ts";
import type { AgentDefinition } from "./definition/agent-definition.ts";

export type AgentSettings = Settings;
export type AgentProjectOptions = Omit<ProjectOptions, "provider" | "environment" | "processEnvironment" | "values">;

/**
 * The project as the agent uses it: with the agent's variables, its model, and the secrets of its file. Throws ConfigError.
 *
 * @example
 * const project = await openAgentProject(await loadAgent("agent.yaml", { environment: process.env }), {});
 */
export async function openAgentProject(definition: AgentDefinition, options: AgentProjectOptions): Promise<Project> {
  const project = await openProjectFor(definition, options);
  const { provider: _replaced, ...host } = project.options;
  return project.asConfigured().with({ ...host, ...modelOptions(definition, host), values: definition.values });
}

/** The project with the agent's variables, but with its own model and embeddings. Throws ConfigError. */
export function openProjectFor({ environment }: AgentDefinition, options: AgentProjectOptions): Promise<Project> {
  return openProject({ ...options, environment: undefined, processEnvironment: environment });
}
