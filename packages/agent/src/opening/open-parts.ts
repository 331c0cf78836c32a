import type { Project } from "@bridle/project";
import { type AgentRuntime, type AnyTool, ConfigError } from "@bridle/protocol";
import type { AgentSettings } from "../agent-settings.ts";
import type { ClaudeParts } from "../claude/open-claude.ts";
import type { AgentDefinition } from "../definition/agent-definition.ts";
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
  /** The parts of the block `claude`. */
  readonly claude?: ClaudeParts;
  /** Sentences about settings that bypass the rules or have no effect. */
  readonly warnings: readonly string[];
  /** Never rejects. */
  close(): Promise<void>;
}

/** Opens the agent's tools and the block `claude`. Throws ConfigError; nothing is left open then. */
export async function openParts(
  definition: AgentDefinition,
  project: Project,
  options: ToolOptions,
  runtime?: AgentRuntime,
): Promise<AgentParts> {
  const { settings } = project;
  const opened = await openTools(definition, toolContext(definition, project, options, runtime));
  try {
    const all = opened.entries.flatMap((entry) => entry.tools);
    const claude = await openClaudeParts(definition, settings, all);
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

async function openClaudeParts(
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
