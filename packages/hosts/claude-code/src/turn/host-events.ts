/** What the host tells beside the model's answer, as events and figures of the port. */
import type { BackendEvent, Usage } from "@bridle/protocol";
import type { HostMessage, HostResult, RateLimit } from "./messages.ts";

/** Its own retries and notices. */
export function systemEvents(message: Extract<HostMessage, { type: "system" }>): BackendEvent[] {
  if (message.subtype === "informational") {
    const level = message.level === "warning" ? "warning" : "info";
    return [{ type: "notice", level, code: "host", message: message.content }];
  }
  if (message.subtype !== "api_retry") return [];
  const { attempt, max_retries: maxAttempts, retry_delay_ms: delayMs, error, error_status: status } = message;
  const reason = error === "unknown" && status === null ? "no answer from the model service" : error;
  return [{ type: "retry.scheduled", attempt, maxAttempts, delayMs, reason, ...(status === null ? {} : { status }) }];
}

/** Its word on the subscription's window; times come in seconds. */
export function limitEvents({ status, rateLimitType, resetsAt, utilization }: RateLimit): BackendEvent[] {
  const window = rateLimitType ?? "subscription";
  const resets = resetsAt === undefined ? {} : { resetsAt: resetsAt * 1000 };
  const used = utilization === undefined ? {} : { utilization };
  if (status === "rejected") return [{ type: "limit.reached", window, ...resets }];
  return status === "allowed_warning" ? [{ type: "limit.warned", window, ...resets, ...used }] : [];
}

/** The window of the model that answered, in tokens; the smallest where the host does not say which one that was. */
export function windowOf({ modelUsage }: HostResult, answering: string | undefined): number | undefined {
  const told = Object.entries(modelUsage).flatMap(([model, { contextWindow }]) =>
    contextWindow !== undefined && Number.isInteger(contextWindow) && contextWindow > 0
      ? [{ model, contextWindow }]
      : [],
  );
  const own = told.filter(({ model }) => model === answering);
  const windows = (own.length > 0 ? own : told).map(({ contextWindow }) => contextWindow);
  return windows.length === 0 ? undefined : Math.min(...windows);
}

/** The tokens of all models since the process began. */
export function totalUsage({ modelUsage }: HostResult): Usage {
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
