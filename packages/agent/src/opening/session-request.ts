import type { Policy, SendOptions, SessionRequest } from "@bridle/protocol";
import type { AgentDefinition } from "../definition/agent-definition.ts";
import type { AgentParts } from "./open-parts.ts";

/** Responses that the model may give in one run, where the file says nothing. */
const defaultSteps = 20;

/** What every session of an agent has. */
export function requestOf(
  { config, instructions, responseFormat }: AgentDefinition,
  { tools, instructions: more, claude }: AgentParts,
  policy: Policy | undefined,
): SessionRequest {
  const { model, name } = config;
  const { builtins = [], hostSettings = {} } = claude ?? {};
  return {
    system: [instructions.text, ...more].join("\n\n"),
    tools,
    stepBudget: stepsOf(config, claude),
    labels: { agent: name, instructions: instructions.version },
    ...(builtins.length > 0 && { builtins }),
    ...(Object.keys(hostSettings).length > 0 && { hostSettings }),
    ...(policy && { policy }),
    ...(responseFormat && { schema: responseFormat }),
    ...(model?.max_tokens !== undefined && { maxOutputTokens: model.max_tokens }),
    ...(model?.temperature !== undefined && { temperature: model.temperature }),
    ...(model?.top_p !== undefined && { topP: model.top_p }),
  };
}

/** What every run of an agent has. */
export function limitsOf({ config }: AgentDefinition, { claude }: AgentParts): RunLimits {
  const seconds = config.execution?.llm_timeout;
  return {
    ...(seconds !== undefined && { timeoutMs: seconds * 1000 }),
    ...(claude?.maxCostUsd !== undefined && { maxCostUsd: claude.maxCostUsd }),
  };
}

export type RunLimits = Pick<SendOptions, "timeoutMs" | "maxCostUsd">;

export function stepsOf({ execution }: AgentDefinition["config"], claude: AgentParts["claude"]): number {
  return claude?.stepBudget ?? execution?.max_steps ?? defaultSteps;
}
