import { resolveSettings, type SettingsOptions } from "@bridle/project";
import { modelOptions } from "./agent-model.ts";
import type { AgentDefinition } from "./definition/agent-definition.ts";

export type AgentSettings = Awaited<ReturnType<typeof resolveSettings>>;
export type AgentSettingsOptions = Omit<SettingsOptions, "provider" | "environment" | "processEnvironment" | "values">;

/** The settings of an agent's runs: the project's, with the agent's model and what its file keeps secret over them. Throws ConfigError. */
export function agentSettings(definition: AgentDefinition, options: AgentSettingsOptions): Promise<AgentSettings> {
  const { environment, values } = definition;
  return resolveSettings({
    ...options,
    ...(options.namespace === undefined ? { environment } : { processEnvironment: environment }),
    ...{ ...modelOptions(definition, options), values },
  });
}
