import { outputLimitError, reachedEvents, SilenceWatch, silenceError } from "@bridle/host-shared";
import {
  BackendCrashError,
  type BridleError,
  isBridleError,
  StoppedError,
  type ToolReply,
  type TurnContext,
  type TurnEnd,
} from "@bridle/protocol";
import { objectToolName } from "../boundary/object-tool.ts";
import type { FailureFacts } from "../errors/failure-errors.ts";
import { type CopilotEvent, type ModelFailure, readCopilotEvent } from "../messages/session-events.ts";
import { CopilotStepReader, type PriceResponse } from "../messages/step-reader.ts";
import { FailedRequests } from "./failed-requests.ts";
import { TurnSpending } from "./spending.ts";
import { TurnCalls } from "./turn-calls.ts";

export interface CopilotTurnOptions {
  readonly context: TurnContext;
  readonly facts: FailureFacts;
  readonly priceOf: PriceResponse;
  /** The number of responses that the turn may have. */
  readonly stepBudget: number;
  readonly maxCostUsd: number | undefined;
  readonly contextWindow: number | undefined;
  readonly idleTimeoutMs: number;
  readonly maxAttempts: number;
  /** The names of the tools that the model was offered. */
  readonly tools: ReadonlySet<string>;
  /** Sends a ping. Resolves when the host has answered or the ping has failed. Never rejects. */
  ping(): Promise<void>;
  /** Stops the host's work on the turn. Resolves when the host sends no further requests. */
  abort(): Promise<void>;
}

/** One turn: a message to the host, and everything that the host sends until the turn is over. */
export class CopilotTurn {
  readonly #options: CopilotTurnOptions;
  readonly #context: TurnContext;
  readonly #steps: CopilotStepReader;
  readonly #calls: TurnCalls;
  readonly #failures: FailedRequests;
  readonly #silence: SilenceWatch;
  readonly #spending: TurnSpending;
  readonly #end = Promise.withResolvers<TurnEnd>();
  /** The call ids, by the ids of the host's requests for these calls. */
  readonly #requests = new Map<string, string>();
  #stepCount = 0;
  #object: { readonly value: unknown } | undefined;
  #isOver = false;

  constructor(options: CopilotTurnOptions) {
    const { context, facts, priceOf, idleTimeoutMs, tools } = options;
    this.#options = options;
    this.#context = context;
    this.#steps = new CopilotStepReader(facts.model, priceOf, objectToolName);
    this.#failures = new FailedRequests(facts, options.maxAttempts);
    this.#spending = new TurnSpending(options.contextWindow);
    this.#end.promise.catch(() => {});
    const auth = facts.login ? "session" : "api_key";
    const onSilence = () => this.#abandon(silenceError("Copilot's runtime", idleTimeoutMs, auth));
    this.#silence = new SilenceWatch(idleTimeoutMs, onSilence);
    this.#calls = new TurnCalls({ context, tools, silence: this.#silence, onLastCall: () => this.#endByBudget() });
    context.signal.addEventListener("abort", this.#onAbort, { once: true });
    if (context.signal.aborted) this.#onAbort();
  }

  /** Resolves with the end of the turn, or rejects with a BridleError. */
  get end(): Promise<TurnEnd> {
    return this.#end.promise;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether a response of the model has begun. From then on, sending the message again could repeat an action. */
  get hasBegun(): boolean {
    return this.#stepCount > 0 || this.#steps.isOpen;
  }

  receive(raw: unknown): void {
    if (this.#isOver) return;
    this.#silence.restart();
    if (this.#context.eventDetails?.includes("host-messages")) this.#context.emit({ type: "host.message", raw });
    try {
      const event = readCopilotEvent(raw);
      if (event) this.#on(event);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Runs a call of one of our tools, in the model's order. Never resolves if the turn's budget is spent. */
  callTool(callId: string): Promise<ToolReply> {
    return this.#calls.call(callId);
  }

  takeObject(object: unknown): void {
    this.#object = { value: object };
  }

  fail(error: unknown): void {
    if (isBridleError(error)) this.#abandon(error);
    else this.#abandon(new BackendCrashError(`Copilot's runtime failed: ${String(error)}`, { cause: error }));
  }

  readonly #onAbort = () => this.#abandon(new StoppedError("The turn was stopped."));

  #on(event: CopilotEvent): void {
    for (const each of this.#steps.read(event)) this.#context.emit(each);
    switch (event.type) {
      case "assistant.message":
        this.#onResponse(event);
        break;
      case "external_tool.requested":
        this.#requests.set(event.data.requestId, event.data.toolCallId);
        break;
      case "external_tool.completed":
        this.#confirm(this.#requests.get(event.data.requestId) ?? "");
        break;
      case "model.tool_execution":
        this.#onToolEnd(event.data);
        break;
      case "model.call_failure":
        this.#onFailure(event.data);
        break;
      case "session.error":
        this.#settle(() => this.#end.reject(this.#failures.newest ?? this.#crash(event.data.message)));
        break;
      case "session.idle":
        this.#settle(() => this.#end.resolve(this.#endFor("natural")));
    }
  }

  /** Confirms a result. The event comes a moment before the host has stored the result, so this waits for the answer to a ping. */
  #confirm(callId: string): void {
    void this.#options.ping().finally(() => this.#calls.confirm(callId));
  }

  #onResponse(event: Extract<CopilotEvent, { type: "assistant.message" }>): void {
    const [events, step] = this.#steps.complete(event);
    this.#spending.add(step);
    for (const each of events) this.#context.emit(each);
    this.#failures.clear();
    this.#stepCount += 1;
    const { maxCostUsd, stepBudget } = this.#options;
    const isSpent = maxCostUsd !== undefined && this.#spending.usd >= maxCostUsd;
    if (step.finishReason === "length") this.#abandon(outputLimitError("it reached the model's own limit"));
    else if (step.calls.length > 0 && isSpent) this.#endByBudget();
    else this.#calls.begin(step, this.#stepCount >= stepBudget);
  }

  #onToolEnd({ toolCallId, toolResult }: Extract<CopilotEvent, { type: "model.tool_execution" }>["data"]): void {
    if (toolResult.resultType !== "success") this.#calls.refuse(toolCallId, toolResult.textResultForLlm);
  }

  #onFailure(failure: ModelFailure): void {
    const next = this.#failures.add(failure);
    if ("error" in next) {
      for (const event of reachedEvents(next.error)) this.#context.emit(event);
      this.#abandon(next.error);
    } else this.#context.emit(next.retry);
  }

  #crash(message: string): BackendCrashError {
    return new BackendCrashError(`Copilot's runtime failed: ${this.#options.facts.redact(message)}`);
  }

  /** Returns the end of the turn. If the turn has its object, the reason is `natural` even if the budget is used up. */
  #endFor(reason: "natural" | "budget"): TurnEnd {
    return this.#object ? { reason: "natural", object: this.#object.value } : { reason };
  }

  #endByBudget(): void {
    const end = this.#endFor("budget");
    this.#settle(() => void this.#options.abort().finally(() => this.#end.resolve(end)));
  }

  #abandon(error: BridleError): void {
    if (this.#isOver) return;
    void this.#options.abort();
    this.#settle(() => this.#end.reject(error));
  }

  /** Settles the turn. Only the first end counts. */
  #settle(settleEnd: () => void): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#silence.stop();
    this.#calls.stop();
    const report = this.#spending.report();
    if (report) this.#context.emit(report);
    this.#context.signal.removeEventListener("abort", this.#onAbort);
    settleEnd();
  }
}
