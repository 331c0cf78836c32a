import { openProject, type Project, type ProjectOptions, type Settings } from "@bridle/project";
import type { AgentDefinition } from "./definition/agent-definition.ts";
import { modelOptions } from "./definition/agent-model.ts";
import type { AgentChain } from "./delegation/nested-files.ts";
import { effectiveFiles, filesToTrust } from "./trust/effective-files.ts";
import { readWhole } from "./trust/read-outside.ts";

export type AgentSettings = Settings;
export type AgentProjectOptions = Omit<ProjectOptions, "provider" | "environment" | "processEnvironment" | "values">;

/**
 * Opens the project with the agent's variables, its model and the secrets of its file. Throws ConfigError.
 *
 * @example
 * const project = await openAgentProject(await loadAgent("agent.yaml", { environment: process.env }), {});
 */
export async function openAgentProject(definition: AgentDefinition, options: AgentProjectOptions): Promise<Project> {
  return asAgent(await openProjectFor(definition, options), definition);
}

/** Opens the project in the same way, and reads the files that the agent names outside of its folder. Throws ConfigError. */
export async function openWhole(
  given: AgentDefinition,
  options: AgentProjectOptions,
  nesting: { readonly chain?: AgentChain | undefined } = {},
): Promise<{ readonly definition: AgentDefinition; readonly project: Project }> {
  const project = await findProjectFor(given, options);
  await project.requireTrust(await filesToTrust(given, project, nesting));
  const definition = await readWhole(given, project);
  return { definition, project: asAgent(project, definition) };
}

/**
 * Opens the project with the agent's variables, but with the project's own model and embeddings. Throws ConfigError, including when the
 * files of the project or the agent are not trusted: all code that uses an agent starts here.
 */
export async function openProjectFor(definition: AgentDefinition, options: AgentProjectOptions): Promise<Project> {
  const project = await findProjectFor(definition, options);
  await project.requireTrust(await effectiveFiles(definition, project));
  return project;
}

/** Opens the same project without requiring trust, so that it can be described. */
function findProjectFor({ environment, trust }: AgentDefinition, options: AgentProjectOptions): Promise<Project> {
  const own = trust && options.trust === undefined ? { trust } : {};
  return openProject({ ...options, ...own, environment: undefined, processEnvironment: environment });
}

/** Opens the project as the agent uses it, but without requiring trust, so that it can be described. Throws ConfigError. */
export async function findAgentProject(definition: AgentDefinition, options: AgentProjectOptions): Promise<Project> {
  return asAgent(await findProjectFor(definition, options), definition);
}

function asAgent(project: Project, definition: AgentDefinition): Project {
  const { provider: _replaced, ...host } = project.options;
  return project.asConfigured().with({ ...host, ...modelOptions(definition, host), values: definition.values });
}
