import { type CreateRuntimeOptions, createRuntime, type Project } from "@bridle/project";
import type { AgentRuntime, AnyTool, Policy } from "@bridle/protocol";
import { type AgentProjectOptions, openWhole } from "../agent-settings.ts";
import type { AgentDefinition } from "../definition/agent-definition.ts";
import { agentPolicy } from "../definition/agent-policy.ts";
import { requireUsable } from "./find-agent-problems.ts";
import { openNestedToolset } from "./nested-toolset.ts";
import { openParts } from "./open-parts.ts";
import type { ToolOptions } from "./tool-context.ts";

export interface OpenAgentToolsOptions
  extends AgentProjectOptions,
    Pick<ToolOptions, "logger" | "signal" | "loading" | "isShared"> {
  /** Creates the runtime for tools that call a model. Default: `createRuntime`. */
  createRuntime?(options: CreateRuntimeOptions): Promise<AgentRuntime>;
}

/** An agent's tools without its model, for another program to call. */
export interface AgentToolset {
  readonly tools: readonly AnyTool[];
  /** Instructions about the tools. */
  readonly instructions: readonly string[];
  /** The rules of the agent file. */
  readonly policy: Policy | undefined;
  /** Warnings about settings that bypass the rules or have no effect. */
  readonly warnings: readonly string[];
  /** The project with the agent's variables and secrets. */
  readonly project: Project;
  close(): Promise<void>;
}

/** Opens an agent's tools, even if the agent has no model. Throws ConfigError; nothing is left open then. */
export async function openAgentTools(
  given: AgentDefinition,
  options: OpenAgentToolsOptions = {},
): Promise<AgentToolset> {
  const { createRuntime: create = createRuntime, logger, signal, loading, isShared, ...selection } = options;
  const { definition, project } = await openWhole(given, selection);
  await requireUsable(definition, project, { logger });
  let asked: Promise<AgentRuntime> | undefined;
  const runtime = () => {
    asked ??= create({ project, logger });
    return asked;
  };
  const shared = { logger, signal, loading, isShared, createRuntime: create };
  const parts = await openParts(
    definition,
    project,
    { ...shared, openNested: (chain) => openNestedToolset(chain, { ...selection, project }, shared) },
    runtime,
  );
  const { tools, instructions, settings, warnings } = parts;
  const policy = agentPolicy(definition, { isRuled: settings.policy !== undefined });
  return {
    tools,
    instructions,
    policy,
    warnings,
    project,
    async close() {
      await parts.close();
      await (await asked?.catch(() => undefined))?.close();
    },
  };
}
