/** All that an agent's runs are made of beside their runtime. */

import type { LoadModuleOptions, Project } from "@bridle/project";
import { type AgentRuntime, type AnyTool, ConfigError, type Logger } from "@bridle/protocol";
import type { AgentSettings } from "../agent-settings.ts";
import type { ClaudeParts } from "../claude/open-claude.ts";
import type { AgentDefinition } from "../definition/agent-definition.ts";
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
  /** What the block `claude` opens. */
  readonly claude?: ClaudeParts;
  /** What reaches further than the rules, and what has no effect. */
  readonly warnings: readonly string[];
  /** Never rejects. */
  close(): Promise<void>;
}

/** Opens the agent's tools, and what its block `claude` opens. Throws ConfigError, and leaves nothing open then. */
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
    const claude = await claudeOf(definition, settings, all);
    const { entries, instructions, close } = opened;
    return {
      ...{ settings, entries, instructions, close },
      tools: claude ? all.filter(({ name }) => claude.offers(name)) : all,
      warnings: claude?.warnings ?? [],
      ...(claude && { claude }),
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function claudeOf(
  { config, baseDir, environment, places }: AgentDefinition,
  { provider, models, projectDir }: AgentSettings,
  tools: readonly AnyTool[],
): Promise<ClaudeParts | undefined> {
  if (config.claude === undefined) return undefined;
  const { openClaude } = await import("../claude/open-claude.ts");
  try {
    return await openClaude(config.claude, {
      ...{ backend: provider.backend, baseDir, projectDir, environment },
      model: models.default ?? "",
      tools: tools.map(({ name }) => name),
      policyMode: config.policy?.mode,
    });
  } catch (error) {
    if (!(error instanceof ConfigError) || error.position || error.field === undefined) throw error;
    const position = places.positions[error.field] ?? places.positions.claude;
    throw position ? new ConfigError(error.message, { position, field: error.field, cause: error }) : error;
  }
}
