import { omitUndefined, type Policy, type SendOptions, type SessionRequest } from "@bridle/protocol";
import type { AgentDefinition } from "../definition/agent-definition.ts";
import type { AgentParts } from "./open-parts.ts";

/** The maximum number of model responses in one run, if the file sets no limit. */
const defaultSteps = 20;

/** Returns the request that opens every session of an agent. */
export function sessionRequest(
  { config, instructions, responseFormat }: AgentDefinition,
  { tools, instructions: toolInstructions, hostBlock }: AgentParts,
  policy: Policy | undefined,
): SessionRequest & { readonly stepBudget: number } {
  const { model, name } = config;
  const { builtins = [], hostSettings = {} } = hostBlock ?? {};
  return omitUndefined({
    system: [instructions.text, ...toolInstructions].join("\n\n"),
    tools,
    stepBudget: stepLimit(config, hostBlock),
    labels: { agent: name, instructions: instructions.version },
    builtins: builtins.length > 0 ? builtins : undefined,
    hostSettings: Object.keys(hostSettings).length > 0 ? hostSettings : undefined,
    policy,
    schema: responseFormat,
    schemaRetries: config.execution?.schema_retries,
    maxDepth: config.execution?.max_depth,
    maxOutputTokens: model?.max_tokens,
    temperature: model?.temperature,
    topP: model?.top_p,
  });
}

/** Returns the limits of every run of an agent. */
export function runLimits({ config }: AgentDefinition, { hostBlock }: AgentParts): RunLimits {
  const seconds = config.execution?.llm_timeout;
  return omitUndefined({
    timeoutMs: seconds === undefined ? undefined : seconds * 1000,
    maxCostUsd: hostBlock?.maxCostUsd,
  });
}

export type RunLimits = Pick<SendOptions, "timeoutMs" | "maxCostUsd">;

/** Returns the maximum number of model responses in one run. */
export function stepLimit({ execution }: AgentDefinition["config"], hostBlock: AgentParts["hostBlock"]): number {
  return hostBlock?.stepBudget ?? execution?.max_steps ?? defaultSteps;
}
