/** Attributes that follow the OpenTelemetry conventions for generative models. */
import { type EventOf, omitUndefined, type Usage } from "@bridle/protocol";
import type { Attributes } from "@opentelemetry/api";

/** Returns the settings of a run's request, from the run's first event. */
export function requestAttributes({
  model,
  maxOutputTokens,
  temperature,
  topP,
  sessionId,
}: EventOf<"run.started">): Attributes {
  return omitUndefined({
    "gen_ai.request.model": model,
    "gen_ai.request.max_tokens": maxOutputTokens,
    "gen_ai.request.temperature": temperature,
    "gen_ai.request.top_p": topP,
    "gen_ai.conversation.id": sessionId,
  });
}

export function runAttributes(event: EventOf<"run.started">): Attributes {
  const labels = Object.entries(event.labels ?? {}).map(([label, value]) => [`bridle.label.${label}`, value]);
  return {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": event.role ?? "default",
    ...requestAttributes(event),
    "bridle.run.id": event.runId,
    "bridle.operation": event.operation,
    ...omitUndefined({ "bridle.parent.run.id": event.parentRunId }),
    ...Object.fromEntries(labels),
  };
}

/** Returns the token counts. The conventions include cached tokens in the input tokens. */
export function usageAttributes(usage: Usage): Attributes {
  return {
    "gen_ai.usage.input_tokens": allInput(usage),
    "gen_ai.usage.output_tokens": usage.outputTokens,
    "gen_ai.usage.cache_read.input_tokens": usage.cacheReadTokens,
    "gen_ai.usage.cache_creation.input_tokens": usage.cacheWriteTokens,
  };
}

export function allInput({ inputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number {
  return inputTokens + cacheReadTokens + cacheWriteTokens;
}
