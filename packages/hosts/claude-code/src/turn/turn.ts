import { outputLimitError, SilenceWatch, silenceError } from "@bridle/host-shared";
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
} from "@bridle/protocol";
import { classifyResult, refusedForGood } from "../errors/classify-failure.ts";
import {
  announcedPauseMs,
  isRetry,
  limitEvents,
  systemEvents,
  type UsageMeter,
  usageEvent,
} from "../messages/host-events.ts";
import type { HostMessage, HostResult, RateLimit } from "../messages/messages.ts";
import { NestedCalls } from "../messages/nested-calls.ts";
import { responseCost } from "../messages/response-usage.ts";
import { StepTracker } from "../messages/step-tracker.ts";
import type { ClaudeAuthMode } from "../options.ts";
import type { TurnReceiver } from "../process/host-process.ts";
import { HostToolResults } from "./host-tool-results.ts";

export interface TurnOptions {
  context: TurnContext;
  spec: ConversationSpec;
  auth: ClaudeAuthMode;
  /** Whether requests go to another address than the provider's own. */
  hasBaseUrl: boolean;
  /** Milliseconds without a message from the host after which the turn fails. The time that tools take does not count. */
  idleTimeoutMs: number;
  meter: UsageMeter;
}

const turnOver: ToolReply = { output: "The turn is over; the call was not executed.", isError: true };

/** One turn: a message to the host, and everything that the host sends until the turn is over. */
export class Turn implements TurnReceiver {
  readonly #options: TurnOptions;
  readonly #context: TurnContext;
  readonly #tracker: StepTracker;
  readonly #nested = new NestedCalls();
  readonly #silence: SilenceWatch;
  readonly #end = Promise.withResolvers<TurnEnd>();
  readonly #results: HostToolResults;
  #isOver = false;
  #hasBegun = false;
  #limit: RateLimit | undefined;
  #assistantError: string | undefined;
  /** The name of the model that sent the newest response. */
  #answeringModel: string | undefined;
  #stepOver = Promise.withResolvers<void>();

  constructor(options: TurnOptions) {
    const { context, idleTimeoutMs, auth } = options;
    this.#options = options;
    this.#context = context;
    this.#tracker = new StepTracker((response, model) => responseCost(response, model, auth));
    this.#results = new HostToolResults(context);
    this.#end.promise.catch(() => {});
    this.#silence = new SilenceWatch(idleTimeoutMs, () =>
      this.#reject(silenceError("Claude Code", idleTimeoutMs, auth)),
    );
    context.signal.addEventListener("abort", this.#onAbort, { once: true });
    if (context.signal.aborted) this.#onAbort();
  }

  /** Resolves with the end of the turn, or rejects with a BridleError. */
  get end(): Promise<TurnEnd> {
    return this.#end.promise;
  }

  /** Whether a response of the model has begun. From then on, sending the message again could repeat an action. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  receive(message: HostMessage): void {
    if (this.#isOver) return;
    this.#silence.restart(announcedPauseMs(message));
    switch (message.type) {
      case "stream_event":
        this.#onStream(message);
        break;
      case "assistant":
        this.#onAssistant(message);
        break;
      case "user":
        this.#onUser(message);
        break;
      case "rate_limit_event":
        this.#limit = message.rate_limit_info;
        this.#emit(limitEvents(this.#limit));
        break;
      case "result":
        this.#onResult(message);
        break;
      case "system":
        this.#onSystem(message);
    }
  }

  receiveRaw(message: object): void {
    const isWanted = !this.#isOver && this.#context.eventDetails?.includes("host-messages");
    if (isWanted) this.#context.emit({ type: "host.message", raw: message });
  }

  async callTool(call: ToolCall): Promise<ToolReply> {
    await this.#untilResponseIsComplete();
    if (this.#isOver) return turnOver;
    this.#silence.hold(call.callId);
    try {
      return await this.#context.callTool(call);
    } finally {
      this.#silence.release(call.callId);
    }
  }

  async authorizeHostTool(call: ToolCall): ReturnType<TurnContext["authorizeHostTool"]> {
    await this.#untilResponseIsComplete();
    if (this.#isOver) return { allow: false, reply: turnOver.output };
    this.#silence.hold(call.callId); // the pause ends when the call's result arrives
    const answer = await this.#context.authorizeHostTool(call);
    if (answer.allow) this.#results.allow(call.callId);
    else this.#silence.release(call.callId);
    return answer;
  }

  fail(error: unknown): void {
    this.#reject(isBridleError(error) ? error : crashError(error));
  }

  readonly #onAbort = () => this.#reject(new StoppedError("The turn was stopped."));

  #onStream({ parent_tool_use_id, event, abandoned_blocks }: Extract<HostMessage, { type: "stream_event" }>): void {
    if (!parent_tool_use_id) this.#emit(this.#tracker.onStream(event, abandoned_blocks?.from_block_index));
  }

  #onAssistant(message: Extract<HostMessage, { type: "assistant" }>): void {
    this.#assistantError = message.error;
    if (message.parent_tool_use_id) this.#nested.note(message.message.content);
    else this.#emit(this.#tracker.onAssistant(message));
  }

  #onUser({ message, parent_tool_use_id }: Extract<HostMessage, { type: "user" }>): void {
    if (typeof message.content === "string") return;
    const results = message.content.filter((block) => block.type === "tool_result");
    for (const { tool_use_id } of results) this.#silence.release(tool_use_id);
    if (parent_tool_use_id) {
      for (const result of this.#nested.match(results)) this.#results.pass(result);
      return;
    }
    if (results.length > 0 && !this.#tracker.isStreaming) this.#emit(this.#tracker.closeStep());
    for (const result of this.#tracker.onToolResults(results)) {
      if (this.#tracker.isStreaming) this.#results.defer(result);
      else this.#results.pass(result);
    }
  }

  #onSystem(message: Extract<HostMessage, { type: "system" }>): void {
    const error = refusedForGood(message, this.#options.auth);
    const events = systemEvents(message);
    if (error) this.#reject(error);
    else this.#emit(events.flatMap((event) => (isRetry(event) ? this.#tracker.onRetry(event) : [event])));
  }

  #onResult(result: HostResult): void {
    const { auth, hasBaseUrl, spec, meter } = this.#options;
    this.#emit(this.#tracker.closeStep());
    this.#emit([usageEvent(result, { auth, meter, answering: this.#answeringModel })]);
    const end = classifyResult(result, {
      auth,
      hasBaseUrl,
      hasBegun: this.#hasBegun,
      model: spec.model,
      lastObject: this.#tracker.lastObject,
      assistantError: this.#assistantError,
      limit: this.#limit,
    });
    if (isBridleError(end)) this.#reject(end);
    else this.#settle(() => this.#end.resolve(end));
  }

  #emit(events: readonly BackendEvent[]): void {
    for (const event of events) {
      if (event.type === "step.started") {
        this.#hasBegun = true;
        this.#answeringModel = event.model;
      }
      this.#context.emit(event);
      if (event.type === "step.finished") this.#onStepOver();
    }
  }

  #onStepOver(): void {
    this.#stepOver.resolve();
    this.#stepOver = Promise.withResolvers();
    this.#results.passDeferred();
    const { maxOutputTokens } = this.#options.spec;
    if (this.#tracker.wasCut && maxOutputTokens !== undefined) {
      this.#reject(outputLimitError(`it was cut at ${maxOutputTokens} tokens`)); // the host would request the rest
    }
  }

  /** Waits until tools may run: when their response is complete. Without streaming, that is when its first tool is called. */
  async #untilResponseIsComplete(): Promise<void> {
    if (this.#tracker.isStreaming) await this.#stepOver.promise;
    else this.#emit(this.#tracker.closeStep());
  }

  #reject(error: unknown): void {
    this.#settle(() => this.#end.reject(error));
  }

  /** Settles the turn. Only the first end counts. */
  #settle(settleEnd: () => void): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#silence.stop();
    this.#stepOver.resolve();
    this.#context.signal.removeEventListener("abort", this.#onAbort);
    settleEnd();
  }
}

function crashError(cause: unknown): BackendCrashError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new BackendCrashError(`Claude Code ended without an answer: ${reason}`, { cause });
}
