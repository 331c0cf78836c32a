/** Converts the host's messages about itself, and its result, to our events and figures. */
import { type BackendEvent, omitUndefined, type Usage } from "@bridle/protocol";
import { isSubscription } from "../auth/auth-modes.ts";
import type { ClaudeAuthMode } from "../options.ts";
import type { HostMessage, HostResult, RateLimit } from "./messages.ts";

/** Returns the events for the host's own retries and notices. */
export function systemEvents(message: Extract<HostMessage, { type: "system" }>): BackendEvent[] {
  if (message.subtype === "informational") {
    const level = message.level === "warning" ? "warning" : "info";
    return [{ type: "notice", level, code: "host", message: message.content }];
  }
  if (message.subtype !== "api_retry") return [];
  const { attempt, max_retries: maxAttempts, retry_delay_ms: delayMs, error, error_status } = message;
  const reason = error === "unknown" && error_status === null ? "no answer from the model service" : error;
  const status = error_status ?? undefined;
  return [omitUndefined({ type: "retry.scheduled" as const, attempt, maxAttempts, delayMs, reason, status })];
}

/** Returns the length of the pause that the host has announced, in milliseconds, or 0. */
export function announcedPauseMs(message: HostMessage): number {
  return message.type === "system" && message.subtype === "api_retry" ? message.retry_delay_ms : 0;
}

export function isRetry(event: BackendEvent): event is Extract<BackendEvent, { type: "retry.scheduled" }> {
  return event.type === "retry.scheduled";
}

/** Returns the events for the state of the subscription's window. The host gives times in seconds. */
export function limitEvents({ status, rateLimitType, resetsAt, utilization }: RateLimit): BackendEvent[] {
  const window = rateLimitType ?? "subscription";
  const resetsAtMs = resetsAt === undefined ? undefined : resetsAt * 1000;
  if (status === "rejected") {
    return [omitUndefined({ type: "limit.reached" as const, window, resetsAt: resetsAtMs })];
  }
  if (status !== "allowed_warning") return [];
  return [omitUndefined({ type: "limit.warned" as const, window, resetsAt: resetsAtMs, utilization })];
}

interface UsageParts {
  auth: ClaudeAuthMode;
  meter: UsageMeter;
  /** The name of the model that sent the newest response. */
  answering: string | undefined;
}

/** Returns the usage of one turn. */
export function usageEvent(result: HostResult, { auth, meter, answering }: UsageParts): BackendEvent {
  const { usage, usd } = meter(totalUsage(result), result.total_cost_usd);
  const cost = { usd, estimate: isSubscription(auth) };
  const contextWindow = contextWindowOf(result, answering);
  return omitUndefined({ type: "usage.reported" as const, usage, cost, contextWindow });
}

/** Converts the running totals of a host process to the usage since the last call. */
export type UsageMeter = (total: Usage, usd: number) => { usage: Usage; usd: number };

/**
 * Returns the context window of the model that answered, in tokens. If the host does not report that model, returns the smallest window.
 */
function contextWindowOf({ modelUsage }: HostResult, answering: string | undefined): number | undefined {
  const known = Object.entries(modelUsage).flatMap(([model, { contextWindow }]) =>
    contextWindow !== undefined && Number.isInteger(contextWindow) && contextWindow > 0
      ? [{ model, contextWindow }]
      : [],
  );
  const answered = known.filter(({ model }) => model === answering);
  const windows = (answered.length > 0 ? answered : known).map(({ contextWindow }) => contextWindow);
  return windows.length === 0 ? undefined : Math.min(...windows);
}

/** Returns the tokens of all models since the process started. */
function totalUsage({ modelUsage }: HostResult): Usage {
  const models = Object.values(modelUsage);
  const sum = (pick: (model: (typeof models)[number]) => number) =>
    models.reduce((total, model) => total + pick(model), 0);
  return {
    inputTokens: sum((model) => model.inputTokens),
    outputTokens: sum((model) => model.outputTokens),
    cacheReadTokens: sum((model) => model.cacheReadInputTokens),
    cacheWriteTokens: sum((model) => model.cacheCreationInputTokens),
  };
}
