import { omitUndefined, type Policy, type SendOptions, type SessionRequest } from "@bridle/protocol";
import type { AgentDefinition } from "../definition/agent-definition.ts";
import type { AgentParts } from "./open-parts.ts";

/** Responses that the model may give in one run, if the file has no limit. */
const defaultSteps = 20;

/** The request that opens every session of an agent. */
export function sessionRequest(
  { config, instructions, responseFormat }: AgentDefinition,
  { tools, instructions: toolInstructions, claude }: AgentParts,
  policy: Policy | undefined,
): SessionRequest {
  const { model, name } = config;
  const { builtins = [], hostSettings = {} } = claude ?? {};
  return omitUndefined({
    system: [instructions.text, ...toolInstructions].join("\n\n"),
    tools,
    stepBudget: stepLimit(config, claude),
    labels: { agent: name, instructions: instructions.version },
    builtins: builtins.length > 0 ? builtins : undefined,
    hostSettings: Object.keys(hostSettings).length > 0 ? hostSettings : undefined,
    policy,
    schema: responseFormat,
    maxOutputTokens: model?.max_tokens,
    temperature: model?.temperature,
    topP: model?.top_p,
  });
}

/** The limits of every run of an agent. */
export function runLimits({ config }: AgentDefinition, { claude }: AgentParts): RunLimits {
  const seconds = config.execution?.llm_timeout;
  return omitUndefined({
    timeoutMs: seconds === undefined ? undefined : seconds * 1000,
    maxCostUsd: claude?.maxCostUsd,
  });
}

export type RunLimits = Pick<SendOptions, "timeoutMs" | "maxCostUsd">;

/** The responses that the model may give in one run. */
export function stepLimit({ execution }: AgentDefinition["config"], claude: AgentParts["claude"]): number {
  return claude?.stepBudget ?? execution?.max_steps ?? defaultSteps;
}
