/** All that an agent's runs are made of beside their runtime. */

import type { LoadModuleOptions, Project } from "@bridle/project";
import {
  type AgentRuntime,
  type AnyTool,
  ConfigError,
  type HostDefinition,
  type Logger,
  type OpenedAgentBlock,
} from "@bridle/protocol";
import type { AgentSettings } from "../agent-settings.ts";
import type { AgentDefinition } from "../definition/agent-definition.ts";
import { hostBlockOf } from "../definition/host-block.ts";
import { surroundingsOf } from "../surroundings-of.ts";
import { type OpenedEntry, openTools } from "./open-tools.ts";
import { documentsServices } from "./tool-services.ts";

export interface PartsOptions {
  logger?: Logger | undefined;
  /** Gives up opening tools. */
  signal?: AbortSignal | undefined;
  /** What watches over the modules of function tools while they are loaded. */
  loading?: LoadModuleOptions | undefined;
}

export interface AgentParts {
  /** The project's settings, with the agent's model over them. */
  readonly settings: AgentSettings;
  readonly entries: readonly OpenedEntry[];
  /** Those that are offered. */
  readonly tools: readonly AnyTool[];
  /** What the model needs to know of them. */
  readonly instructions: readonly string[];
  /** What the block of the agent's host opens, such as `claude`. */
  readonly hostBlock?: OpenedAgentBlock;
  /** What reaches further than the rules, and what has no effect. */
  readonly warnings: readonly string[];
  /** Never rejects. */
  close(): Promise<void>;
}

/** Opens the agent's tools, and the block of its host. Throws ConfigError, and leaves nothing open then. */
export async function openParts(
  definition: AgentDefinition,
  project: Project,
  options: PartsOptions,
  runtime?: AgentRuntime,
): Promise<AgentParts> {
  const { settings } = project;
  const opened = await openTools(
    definition,
    surroundingsOf(definition, project, options),
    documentsServices(definition, project, runtime),
  );
  try {
    const all = opened.entries.flatMap((entry) => entry.tools);
    const hostBlock = await openHostBlock(definition, settings, all);
    const { entries, instructions, close } = opened;
    return {
      ...{ settings, entries, instructions, close },
      tools: hostBlock ? all.filter(({ name }) => hostBlock.offers(name)) : all,
      warnings: hostBlock?.warnings ?? [],
      ...(hostBlock && { hostBlock }),
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Opens the block of the agent's host, if the file has it. Throws ConfigError for the block of another host. */
async function openHostBlock(
  { config, baseDir, environment, places }: AgentDefinition,
  { provider, models, projectDir }: AgentSettings,
  tools: readonly AnyTool[],
): Promise<OpenedAgentBlock | undefined> {
  const found = hostBlockOf(config);
  if (found === undefined) return undefined;
  const { key, value, block, host } = found;
  try {
    if (host.id !== provider.backend) throw otherHost(key, host, provider.backend);
    const { open } = await block.load();
    return await open(value, {
      ...{ baseDir, projectDir, environment },
      model: models.default ?? "",
      tools: tools.map(({ name }) => name),
      policyMode: config.policy?.mode,
    });
  } catch (error) {
    if (!(error instanceof ConfigError) || error.position || error.field === undefined) throw error;
    const position = places.positions[error.field] ?? places.positions[key];
    throw position ? new ConfigError(error.message, { position, field: error.field, cause: error }) : error;
  }
}

function otherHost(key: string, { id, title }: HostDefinition, backend: string): ConfigError {
  const message = `The block ${key} is for ${title}, and this agent runs on ${backend}. Remove it, or choose the provider ${id}.`;
  return new ConfigError(message, { field: key });
}
