import type { AnyTool, Policy, SessionRequest } from "@bridle/core";
import type { AgentDefinition } from "./agent-definition.ts";

/** Responses that the model may give in one run, where the file says nothing. */
export const defaultSteps = 20;

interface Parts {
  readonly tools: readonly AnyTool[];
  readonly instructions: readonly string[];
  readonly policy: Policy | undefined;
}

/** What every session of an agent has. */
export function requestOf({ config, instructions, responseFormat }: AgentDefinition, parts: Parts): SessionRequest {
  const { model, execution, name } = config;
  return {
    system: [instructions.text, ...parts.instructions].join("\n\n"),
    tools: parts.tools,
    stepBudget: execution?.max_steps ?? defaultSteps,
    labels: { agent: name, instructions: instructions.version },
    ...(parts.policy && { policy: parts.policy }),
    ...(responseFormat && { schema: responseFormat }),
    ...(model?.max_tokens !== undefined && { maxOutputTokens: model.max_tokens }),
    ...(model?.temperature !== undefined && { temperature: model.temperature }),
    ...(model?.top_p !== undefined && { topP: model.top_p }),
  };
}
