import type { Project } from "@bridle/project";
import type { AnyTool, OpenedAgentBlock, ToolServices } from "@bridle/protocol";
import type { AgentSettings } from "../agent-settings.ts";
import type { AgentDefinition } from "../definition/agent-definition.ts";
import { filesToTrust } from "../trust/effective-files.ts";
import { listWarnings } from "./list-warnings.ts";
import { openHostBlock } from "./open-host-block.ts";
import { type OpenedEntry, openTools } from "./open-tools.ts";
import { type NestingOptions, toolContext } from "./tool-context.ts";

/** The parts of an agent except its runtime. */
export interface AgentParts {
  /** The project's settings, with the agent's model in place of the project's. */
  readonly settings: AgentSettings;
  readonly entries: readonly OpenedEntry[];
  /** The tools that the model can call. */
  readonly tools: readonly AnyTool[];
  /** Instructions about the tools. */
  readonly instructions: readonly string[];
  /** The opened block of the agent's host, such as `claude`. */
  readonly hostBlock?: OpenedAgentBlock;
  /** Warnings about settings that bypass the rules or have no effect. */
  readonly warnings: readonly string[];
  /** Closes the parts. Never rejects. */
  close(): Promise<void>;
}

/** Opens the agent's tools and the block of its host. Throws ConfigError; nothing is left open then. */
export async function openParts(
  definition: AgentDefinition,
  project: Project,
  options: NestingOptions,
  runtime?: ToolServices["runtime"],
): Promise<AgentParts> {
  const trusted = await project.requireTrust(await filesToTrust(definition, project, options));
  const { settings } = project;
  const opened = await openTools(
    definition,
    { ...toolContext(definition, project, options, runtime), trusted },
    options.tools,
  );
  try {
    const all = opened.entries.flatMap((entry) => entry.tools);
    const hostBlock = await openHostBlock(definition, settings, { tools: all.map(({ name }) => name) });
    const { entries, instructions, close } = opened;
    return {
      settings,
      entries,
      instructions,
      close,
      tools: hostBlock ? all.filter(({ name }) => hostBlock.offers(name)) : all,
      warnings: listWarnings(definition, project, hostBlock, options),
      ...(hostBlock && { hostBlock }),
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
}
