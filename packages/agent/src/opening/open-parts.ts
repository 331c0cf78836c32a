import type { Project } from "@bridle/project";
import {
  type AgentRuntime,
  type AnyTool,
  ConfigError,
  type HostDefinition,
  type OpenedAgentBlock,
} from "@bridle/protocol";
import type { AgentSettings } from "../agent-settings.ts";
import type { AgentDefinition } from "../definition/agent-definition.ts";
import { findHostBlock } from "../definition/host-block.ts";
import { effectiveFile, skippedQuestions } from "../trust/list-agent-effects.ts";
import { type OpenedEntry, openTools } from "./open-tools.ts";
import { type ToolOptions, toolContext } from "./tool-context.ts";

/** The parts of an agent besides its runtime. */
export interface AgentParts {
  /** The project's settings, overridden by the agent's model. */
  readonly settings: AgentSettings;
  readonly entries: readonly OpenedEntry[];
  /** The tools that the model can call. */
  readonly tools: readonly AnyTool[];
  /** Instructions about the tools. */
  readonly instructions: readonly string[];
  /** The opened block of the agent's host, such as `claude`. */
  readonly hostBlock?: OpenedAgentBlock;
  /** Sentences about settings that bypass the rules or have no effect. */
  readonly warnings: readonly string[];
  /** Never rejects. */
  close(): Promise<void>;
}

/** Opens the agent's tools and the block of its host. Throws ConfigError; nothing is left open then. */
export async function openParts(
  definition: AgentDefinition,
  project: Project,
  options: ToolOptions,
  runtime?: AgentRuntime,
): Promise<AgentParts> {
  await project.requireTrust([effectiveFile(definition)]);
  const { settings } = project;
  const opened = await openTools(definition, toolContext(definition, project, options, runtime));
  try {
    const all = opened.entries.flatMap((entry) => entry.tools);
    const hostBlock = await openHostBlock(definition, settings, all);
    const { entries, instructions, close } = opened;
    return {
      ...{ settings, entries, instructions, close },
      tools: hostBlock ? all.filter(({ name }) => hostBlock.offers(name)) : all,
      warnings: [...skippedQuestions(definition), ...(hostBlock?.warnings ?? [])],
      ...(hostBlock && { hostBlock }),
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Opens the block of the agent's host, if the file has it. Throws ConfigError for the block of another host. */
async function openHostBlock(
  { config, baseDir, environment, sources }: AgentDefinition,
  { provider, models, projectDir }: AgentSettings,
  tools: readonly AnyTool[],
): Promise<OpenedAgentBlock | undefined> {
  const found = findHostBlock(config);
  if (found === undefined) return undefined;
  const { key, value, block, host } = found;
  try {
    if (host.id !== provider.backend) throw otherHostError(key, host, provider.backend);
    const { open } = await block.load();
    return await open(value, {
      ...{ baseDir, projectDir, environment },
      model: models.default ?? "",
      tools: tools.map(({ name }) => name),
      policyMode: config.policy?.mode,
    });
  } catch (error) {
    if (!(error instanceof ConfigError) || error.position || error.field === undefined) throw error;
    const position = sources.positions[error.field] ?? sources.positions[key];
    throw position ? new ConfigError(error.message, { position, field: error.field, cause: error }) : error;
  }
}

function otherHostError(key: string, { id, title }: HostDefinition, backend: string): ConfigError {
  const message = `The block ${key} is for ${title}, and this agent runs on ${backend}. Remove it, or choose the provider ${id}.`;
  return new ConfigError(message, { field: key });
}
