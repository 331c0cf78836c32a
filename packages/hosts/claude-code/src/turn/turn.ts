import {
  BackendCrashError,
  type BackendEvent,
  type ConversationSpec,
  isBridleError,
  StoppedError,
  type ToolCall,
  type ToolReply,
  type TurnContext,
  type TurnEnd,
  type Usage,
} from "@bridle/protocol";
import { isSubscription } from "../auth/auth-modes.ts";
import { judge, refusedForGood, tooLong } from "../errors/classify-failure.ts";
import type { AuthMode } from "../options.ts";
import { limitEvents, systemEvents, totalUsage, windowOf } from "./host-events.ts";
import type { HostMessage, HostResult, RateLimit } from "./messages.ts";
import { createNestedCalls } from "./nested-calls.ts";
import { createSilenceWatch, silent } from "./silence-watch.ts";
import { createStepTracker, type HostToolResult } from "./step-tracker.ts";

/** One message to the host and all that it says until the turn is over. */
export interface Turn {
  /** Rejects with a BridleError. */
  readonly end: Promise<TurnEnd>;
  /** True once a response of the model has begun: from then on, asking again could do something twice. */
  readonly hasBegun: boolean;
  take(message: HostMessage): void;
  callTool(call: ToolCall): Promise<ToolReply>;
  authorizeHostTool: TurnContext["authorizeHostTool"];
  fail(error: unknown): void;
}

export interface TurnOptions {
  host: TurnContext;
  spec: ConversationSpec;
  auth: AuthMode;
  /** Whether requests go elsewhere than to the provider's own address. */
  hasBaseUrl: boolean;
  /** Milliseconds without a word of the host after which the turn fails; what the host waits for does not count. */
  idleTimeoutMs: number;
  /** Turns the running totals of the host's process into deltas. */
  meter(total: Usage, usd: number): { usage: Usage; usd: number };
}

const turnOver: ToolReply = { output: "The turn is over; the call was not executed.", isError: true };

export function createTurn({ host, spec, auth, hasBaseUrl, idleTimeoutMs, meter }: TurnOptions): Turn {
  const tracker = createStepTracker();
  const end = Promise.withResolvers<TurnEnd>();
  end.promise.catch(() => {});
  const silence = createSilenceWatch(idleTimeoutMs, () => settle({ error: silent(idleTimeoutMs, auth) }));
  const nested = createNestedCalls();
  const builtinCalls = new Set<string>();
  /** Results of calls that the host refused while their response was still coming. */
  const early: HostToolResult[] = [];
  let over = false;
  let begun = false;
  let limit: RateLimit | undefined;
  let assistantError: string | undefined;
  /** The model of the newest response. */
  let answering: string | undefined;
  let stepOver = Promise.withResolvers<void>();

  function emit(events: readonly BackendEvent[]): void {
    for (const event of events) {
      begun ||= event.type === "step.started";
      if (event.type === "step.started") answering = event.model;
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
    silence.stop();
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
    const contextWindow = windowOf(result, answering);
    const window = contextWindow === undefined ? {} : { contextWindow };
    emit([{ type: "usage.reported", usage, cost: { usd, estimate: isSubscription(auth) }, ...window }]);
    const verdict = judge(result, {
      auth,
      hasBaseUrl,
      hasBegun: begun,
      model: spec.model,
      lastObject: tracker.lastObject,
      ...(assistantError === undefined ? {} : { assistantError }),
      ...(limit === undefined ? {} : { limit }),
    });
    settle(isBridleError(verdict) ? { error: verdict } : { end: verdict });
  }

  function takeToolResult({ call, isError, output }: HostToolResult): void {
    if (builtinCalls.delete(call.callId)) host.completeHostTool(call.callId, !isError, output);
    else if (isError) host.reportRefused(call, output);
  }

  function take(message: HostMessage): void {
    silence.heard(restOf(message));
    switch (message.type) {
      case "stream_event":
        if (!message.parent_tool_use_id)
          emit(tracker.onStream(message.event, message.abandoned_blocks?.from_block_index));
        break;
      case "assistant":
        assistantError = message.error;
        if (message.parent_tool_use_id) nested.note(message.message.content);
        else emit(tracker.onAssistant(message));
        break;
      case "user": {
        const { content } = message.message;
        if (typeof content === "string") break;
        const results = content.filter((block) => block.type === "tool_result");
        for (const { tool_use_id } of results) silence.release(tool_use_id);
        if (message.parent_tool_use_id) {
          for (const result of nested.resultsOf(results)) takeToolResult(result);
          break;
        }
        if (results.length > 0 && !tracker.isStreaming) emit(tracker.closeStep());
        for (const result of tracker.onToolResults(results)) {
          if (tracker.isStreaming) early.push(result);
          else takeToolResult(result);
        }
        break;
      }
      case "rate_limit_event":
        limit = message.rate_limit_info;
        emit(limitEvents(limit));
        break;
      case "result":
        takeResult(message);
        break;
      case "system": {
        const error = refusedForGood(message, auth);
        if (error) settle({ error });
        else emit(systemEvents(message).flatMap((each) => (isRetry(each) ? tracker.onRetry(each) : [each])));
      }
    }
  }

  return {
    end: end.promise,
    get hasBegun() {
      return begun;
    },
    take(message) {
      if (!over) take(message);
    },
    async callTool(call) {
      await responseComplete();
      if (over) return turnOver;
      silence.hold(call.callId);
      try {
        return await host.callTool(call);
      } finally {
        silence.release(call.callId);
      }
    },
    async authorizeHostTool(call) {
      await responseComplete();
      if (over) return { allow: false, reply: turnOver.output };
      silence.hold(call.callId); // until its result comes
      const answer = await host.authorizeHostTool(call);
      if (answer.allow) builtinCalls.add(call.callId);
      else silence.release(call.callId);
      return answer;
    },
    fail: (error) => settle({ error: isBridleError(error) ? error : crash(error) }),
  };
}

/** Milliseconds for which the host says that it will do nothing. */
function restOf(message: HostMessage): number {
  return message.type === "system" && message.subtype === "api_retry" ? message.retry_delay_ms : 0;
}

function isRetry(event: BackendEvent): event is Extract<BackendEvent, { type: "retry.scheduled" }> {
  return event.type === "retry.scheduled";
}

function crash(cause: unknown): BackendCrashError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new BackendCrashError(`Claude Code ended without an answer: ${reason}`, { cause });
}
