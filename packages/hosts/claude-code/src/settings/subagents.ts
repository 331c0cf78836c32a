/** Subagents that a caller defines: each has the tools that it names, of those of the run, and passes the same gate. */
import type { AgentDefinition } from "@anthropic-ai/claude-agent-sdk";
import { ConfigError, type ConversationSpec, isPlainObject, suggestion } from "@bridle/protocol";
import { agentTool, currentName, hostToolName } from "../tools/tool-names.ts";
import { settingsOf } from "./host-settings.ts";

/** What the host needs in order to have no agents but the caller's. */
export const subagentVariables: Readonly<Record<string, string>> = { CLAUDE_AGENT_SDK_DISABLE_BUILTIN_AGENTS: "1" };

export function opensAgents({ builtins }: Pick<ConversationSpec, "builtins">): boolean {
  return builtins.map(currentName).includes(agentTool);
}

/** Throws ConfigError where Agent is opened without agents, or the other way round. */
export function requireAgents(spec: ConversationSpec): void {
  const count = Object.keys(settingsOf(spec).agents ?? {}).length;
  if (opensAgents(spec) && count === 0) {
    throw new ConfigError(
      "The host tool Agent is opened, but there is no agent that it could start. Name some in hostSettings.agents.",
      {
        field: "builtins",
      },
    );
  }
}

/** The agents in the form of the SDK. A tool that is not offered in this run is not offered to an agent either. */
export function subagents(spec: ConversationSpec): Record<string, AgentDefinition> {
  const offered = new Map([
    ...spec.tools.map(({ name }) => [name, hostToolName(name)] as const),
    ...spec.builtins.filter((name) => currentName(name) !== agentTool).map((name) => [name, name] as const),
  ]);
  const agents = Object.entries(settingsOf(spec).agents ?? {}).map(([name, { tools, model, ...texts }]) => [
    name,
    {
      ...texts,
      ...(model === undefined ? {} : { model }),
      tools: (tools ?? [...offered.keys()]).flatMap((tool) => offered.get(tool) ?? []),
      disallowedTools: [agentTool],
      maxTurns: spec.stepBudget,
      omitClaudeMd: true,
    },
  ]);
  return Object.fromEntries(agents);
}

/** What the host lets a call of Agent choose beside the agent: who answers, and where. */
const refusedKeys = ["model", "effort", "isolation"];

/** Why a call of Agent may not run: it asks for an agent otherwise than the caller defined it. */
export function strangeAgent(tool: string, input: unknown, spec: ConversationSpec): string | undefined {
  if (currentName(tool) !== agentTool) return undefined;
  const names = Object.keys(settingsOf(spec).agents ?? {});
  const given = isPlainObject(input) ? input : {};
  const key = refusedKeys.find((name) => given[name] !== undefined);
  if (key !== undefined) return `An agent runs as it was defined. Leave ${key} out.`;
  const wanted = typeof given.subagent_type === "string" ? given.subagent_type : "";
  if (names.includes(wanted)) return undefined;
  const hint = suggestion(wanted, names) || ` There is ${names.join(", ")}.`;
  return `There is no agent "${wanted}" in this run.${hint}`;
}
