import {
  BackendCrashError,
  type BackendEvent,
  type ConversationSpec,
  isBridleError,
  StoppedError,
  type ToolCall,
  type ToolReply,
  type TurnEnd,
  type TurnHost,
  type Usage,
} from "@bridle/core";
import { isSubscription } from "./auth.ts";
import type { HostMessage, HostResult, RateLimit } from "./messages.ts";
import type { AuthMode } from "./options.ts";
import { createStepTracker, type HostToolResult } from "./step-tracker.ts";
import { judge, tooLong } from "./verdict.ts";

/** One message to the host and all that it says until the turn is over. */
export interface Turn {
  /** Rejects with a BridleError. */
  readonly end: Promise<TurnEnd>;
  take(message: HostMessage): void;
  callTool(call: ToolCall): Promise<ToolReply>;
  admitBuiltin: TurnHost["admitBuiltin"];
  fail(error: unknown): void;
}

export interface TurnOptions {
  host: TurnHost;
  spec: ConversationSpec;
  auth: AuthMode;
  /** Turns the running totals of the host's process into deltas. */
  meter(total: Usage, usd: number): { usage: Usage; usd: number };
}

const turnOver: ToolReply = { output: "The turn is over; the call was not executed.", isError: true };

export function createTurn({ host, spec, auth, meter }: TurnOptions): Turn {
  const tracker = createStepTracker();
  const end = Promise.withResolvers<TurnEnd>();
  end.promise.catch(() => {});
  const builtinCalls = new Set<string>();
  /** Results of calls that the host refused while their response was still coming. */
  const early: HostToolResult[] = [];
  let over = false;
  let limit: RateLimit | undefined;
  let assistantError: string | undefined;
  let stepOver = Promise.withResolvers<void>();

  function emit(events: readonly BackendEvent[]): void {
    for (const event of events) {
      host.emit(event);
      if (event.type === "step.finished") onStepOver();
    }
  }

  function onStepOver(): void {
    stepOver.resolve();
    stepOver = Promise.withResolvers();
    for (const result of early.splice(0)) takeToolResult(result);
    if (tracker.wasCut && spec.maxOutputTokens !== undefined) {
      settle({ error: tooLong(`it was cut at ${spec.maxOutputTokens} tokens`) }); // the host would ask for the rest
    }
  }

  /** Tools run when their response is complete; where nothing is streamed, it is complete when the first is called. */
  async function responseComplete(): Promise<void> {
    if (tracker.isStreaming) await stepOver.promise;
    else emit(tracker.closeStep());
  }

  function settle(outcome: { end: TurnEnd } | { error: unknown }): void {
    if (over) return;
    over = true;
    stepOver.resolve();
    host.signal.removeEventListener("abort", onAbort);
    if ("end" in outcome) end.resolve(outcome.end);
    else end.reject(outcome.error);
  }

  const onAbort = () => settle({ error: new StoppedError("The turn was stopped.") });
  host.signal.addEventListener("abort", onAbort, { once: true });
  if (host.signal.aborted) onAbort();

  function takeResult(result: HostResult): void {
    emit(tracker.closeStep());
    const { usage, usd } = meter(totalUsage(result), result.total_cost_usd);
    emit([{ type: "usage.reported", usage, cost: { usd, estimate: isSubscription(auth) } }]);
    const verdict = judge(result, {
      auth,
      model: spec.model,
      lastObject: tracker.lastObject,
      ...(assistantError === undefined ? {} : { assistantError }),
      ...(limit === undefined ? {} : { limit }),
    });
    settle(isBridleError(verdict) ? { error: verdict } : { end: verdict });
  }

  function takeToolResult({ call, isError, output }: HostToolResult): void {
    if (builtinCalls.delete(call.callId)) host.settleBuiltin(call.callId, !isError, output);
    else if (isError) host.reportRefused(call, output);
  }

  function takeLimit(info: RateLimit): void {
    limit = info;
    const window = info.rateLimitType ?? "subscription";
    const resets = info.resetsAt === undefined ? {} : { resetsAt: info.resetsAt * 1000 };
    if (info.status === "rejected") emit([{ type: "limit.reached", window, ...resets }]);
    if (info.status !== "allowed_warning") return;
    emit([
      {
        type: "limit.warned",
        window,
        ...resets,
        ...(info.utilization === undefined ? {} : { utilization: info.utilization }),
      },
    ]);
  }

  function take(message: HostMessage): void {
    switch (message.type) {
      case "stream_event":
        if (!message.parent_tool_use_id) emit(tracker.onStream(message.event));
        break;
      case "assistant":
        assistantError = message.error;
        if (!message.parent_tool_use_id) emit(tracker.onAssistant(message));
        break;
      case "user": {
        const { content } = message.message;
        if (message.parent_tool_use_id || typeof content === "string") break;
        const results = content.filter((block) => block.type === "tool_result");
        if (results.length > 0 && !tracker.isStreaming) emit(tracker.closeStep());
        for (const result of tracker.onToolResults(results)) {
          if (tracker.isStreaming) early.push(result);
          else takeToolResult(result);
        }
        break;
      }
      case "rate_limit_event":
        takeLimit(message.rate_limit_info);
        break;
      case "result":
        takeResult(message);
        break;
      case "system":
        emit(systemEvents(message));
    }
  }

  return {
    end: end.promise,
    take(message) {
      if (!over) take(message);
    },
    async callTool(call) {
      await responseComplete();
      return over ? turnOver : host.callTool(call);
    },
    async admitBuiltin(call) {
      await responseComplete();
      if (over) return { allow: false, reply: turnOver.output };
      const answer = await host.admitBuiltin(call);
      if (answer.allow) builtinCalls.add(call.callId);
      return answer;
    },
    fail: (error) => settle({ error: isBridleError(error) ? error : crash(error) }),
  };
}

function systemEvents(message: Extract<HostMessage, { type: "system" }>): BackendEvent[] {
  if (message.subtype === "informational") {
    const level = message.level === "warning" ? "warning" : "info";
    return [{ type: "notice", level, code: "host", message: message.content }];
  }
  if (message.subtype !== "api_retry") return [];
  const { attempt, max_retries: maxAttempts, retry_delay_ms: delayMs, error: reason, error_status: status } = message;
  return [{ type: "retry.scheduled", attempt, maxAttempts, delayMs, reason, ...(status === null ? {} : { status }) }];
}

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

function crash(cause: unknown): BackendCrashError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new BackendCrashError(`Claude Code ended without an answer: ${reason}`, { cause });
}
