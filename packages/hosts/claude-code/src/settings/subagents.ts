/**
 * The subagents that a caller defines. Each one gets those of the run's tools that its definition names, and its calls pass the same hook.
 */
import type { AgentDefinition } from "@anthropic-ai/claude-agent-sdk";
import { ConfigError, type ConversationSpec, isPlainObject, omitUndefined, suggestion } from "@bridle/protocol";
import { currentName, hostToolName, subagentTool } from "../tools/tool-names.ts";
import { parseSettings } from "./host-settings.ts";

/** Variables with which the host has only the caller's agents. */
export const subagentVariables: Readonly<Record<string, string>> = { CLAUDE_AGENT_SDK_DISABLE_BUILTIN_AGENTS: "1" };

export function hasSubagents({ builtins }: Pick<ConversationSpec, "builtins">): boolean {
  return builtins.map(currentName).includes(subagentTool);
}

/** Throws ConfigError if the Agent tool is opened but no agent is defined. */
export function requireDefinedAgents(spec: ConversationSpec): void {
  const count = Object.keys(parseSettings(spec).agents ?? {}).length;
  if (hasSubagents(spec) && count === 0) {
    throw new ConfigError(
      "The host tool Agent is opened, but no agent is defined. Define one in hostSettings.agents, or leave Agent out.",
      { field: "builtins" },
    );
  }
}

/** Returns the agents in the SDK's form. An agent never gets a tool that this run does not have. */
export function toAgentDefinitions(spec: ConversationSpec): Record<string, AgentDefinition> {
  const available = new Map([
    ...spec.tools.map(({ name }) => [name, hostToolName(name)] as const),
    ...spec.builtins.filter((name) => currentName(name) !== subagentTool).map((name) => [name, name] as const),
  ]);
  const agents = Object.entries(parseSettings(spec).agents ?? {}).map(([name, { tools, model, ...texts }]) => [
    name,
    {
      ...texts,
      ...omitUndefined({ model }),
      tools: (tools ?? [...available.keys()]).flatMap((tool) => available.get(tool) ?? []),
      disallowedTools: [subagentTool],
      maxTurns: spec.stepBudget,
      omitClaudeMd: true,
    },
  ]);
  return Object.fromEntries(agents);
}

/** Inputs of an Agent call that would change the model that answers, or the place where the agent runs. */
const refusedKeys = ["model", "effort", "isolation"];

/** Returns why an Agent call must not run: the agent is not defined, or the call changes its definition. */
export function agentCallProblem(tool: string, input: unknown, spec: ConversationSpec): string | undefined {
  if (currentName(tool) !== subagentTool) return undefined;
  const names = Object.keys(parseSettings(spec).agents ?? {});
  const given = isPlainObject(input) ? input : {};
  const key = refusedKeys.find((name) => given[name] !== undefined);
  if (key !== undefined) return `An agent runs as it is defined. Leave ${key} out.`;
  const wanted = typeof given.subagent_type === "string" ? given.subagent_type : "";
  if (names.includes(wanted)) return undefined;
  const hint = suggestion(wanted, names) || ` Available: ${names.join(", ")}.`;
  return `There is no agent "${wanted}" in this run.${hint}`;
}
