import { outputLimitError } from "@bridle/host-shared";
import {
  BackendCrashError,
  type BridleError,
  isBridleError,
  StoppedError,
  type ToolCall,
  type ToolReply,
  type TurnContext,
  type TurnEnd,
} from "@bridle/protocol";
import { type FailureFacts, failureError } from "../errors/failure-errors.ts";
import { type CopilotEvent, type ModelFailure, readCopilotEvent } from "../messages/session-events.ts";
import { type CompleteStep, CopilotStepReader, type PriceResponse } from "../messages/step-reader.ts";
import { objectToolName } from "./object-tool.ts";
import { OrderedCalls } from "./ordered-calls.ts";
import { RuntimeSilence, runtimeSilenceError } from "./silence-watch.ts";
import { TurnSpending } from "./spending.ts";

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
  /** Stops the host's work on the turn. Resolves when it sends no further request. */
  abort(): Promise<void>;
}

/** A request that fails in these ways may succeed a moment later. */
const passing = new Set(["network", "overloaded", "rate_limit"]);

/** One message to the host and everything that the host sends until the turn is over. */
export class CopilotTurn {
  readonly #options: CopilotTurnOptions;
  readonly #context: TurnContext;
  readonly #steps: CopilotStepReader;
  readonly #calls = new OrderedCalls();
  readonly #silence: RuntimeSilence;
  readonly #spending: TurnSpending;
  readonly #end = Promise.withResolvers<TurnEnd>();
  /** Calls of the model that the host has not answered yet. */
  readonly #open = new Map<string, ToolCall>();
  #stepCount = 0;
  #failures = 0;
  #failure: BridleError | undefined;
  #object: { readonly value: unknown } | undefined;
  #isOver = false;

  constructor(options: CopilotTurnOptions) {
    const { context, facts, priceOf, idleTimeoutMs } = options;
    this.#options = options;
    this.#context = context;
    this.#steps = new CopilotStepReader(facts.model, priceOf, objectToolName);
    this.#spending = new TurnSpending(options.contextWindow);
    this.#end.promise.catch(() => {});
    this.#silence = new RuntimeSilence(idleTimeoutMs, () => this.#abandon(runtimeSilenceError(idleTimeoutMs)));
    context.signal.addEventListener("abort", this.#onAbort, { once: true });
    if (context.signal.aborted) this.#onAbort();
  }

  /** Rejects with a BridleError. */
  get end(): Promise<TurnEnd> {
    return this.#end.promise;
  }

  get isOver(): boolean {
    return this.#isOver;
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
    return this.#calls.make(callId, () => this.#makeCall(callId));
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
      case "model.tool_execution":
        this.#onToolEnd(event.data);
        break;
      case "model.call_failure":
        this.#onFailure(event.data);
        break;
      case "session.error":
        this.#settle(() => this.#end.reject(this.#failure ?? this.#crash(event.data.message)));
        break;
      case "session.idle":
        this.#onIdle();
    }
  }

  #onResponse(event: Extract<CopilotEvent, { type: "assistant.message" }>): void {
    const [events, step] = this.#steps.complete(event);
    this.#spending.add(step);
    for (const each of events) this.#context.emit(each);
    this.#failures = 0;
    this.#failure = undefined;
    this.#stepCount += 1;
    const { maxCostUsd } = this.#options;
    const isSpent = maxCostUsd !== undefined && this.#spending.usd >= maxCostUsd;
    if (step.finishReason === "length") this.#abandon(outputLimitError("it reached the model's own limit"));
    else if (step.calls.length > 0 && isSpent) this.#endByBudget();
    else this.#beginCalls(step);
  }

  #beginCalls({ calls }: CompleteStep): void {
    const { tools } = this.#options;
    const ours = calls.filter(({ name }) => tools.has(name));
    for (const { toolCallId: callId, name: tool, arguments: input } of calls) {
      if (tool !== objectToolName) this.#open.set(callId, { callId, tool, input });
    }
    this.#calls.begin(ours.map(({ toolCallId }) => toolCallId));
    if (!this.#isLastStep) return;
    // the host would refuse these only after it has the results of all others, which it does not get
    for (const { toolCallId, name } of calls)
      if (!tools.has(name)) this.#refuse(toolCallId, `Tool '${name}' does not exist.`);
  }

  get #isLastStep(): boolean {
    return this.#stepCount >= this.#options.stepBudget;
  }

  #refuse(callId: string, reason: string): void {
    const call = this.#open.get(callId);
    if (!call) return;
    this.#calls.skip(callId);
    this.#context.reportRefused(call, reason);
    this.#finishCall(callId);
  }

  /** After the last call of the last step the turn is over. With a reply to all of them, the host would send another request. */
  #finishCall(callId: string): void {
    this.#open.delete(callId);
    if (this.#isLastStep && this.#open.size === 0) this.#endByBudget();
  }

  /** The host refuses calls of tools that it does not know, and those whose input is no JSON. */
  async #makeCall(callId: string): Promise<ToolReply> {
    const call = this.#open.get(callId);
    if (this.#isOver || !call) return { output: "The turn is over; the call was not executed.", isError: true };
    const reply = await this.#silence.pause(() => this.#context.callTool(call));
    this.#finishCall(callId);
    return this.#isLastStep ? await new Promise<never>(() => {}) : reply;
  }

  #onToolEnd({ toolCallId, toolResult }: Extract<CopilotEvent, { type: "model.tool_execution" }>["data"]): void {
    if (toolResult.resultType !== "success") this.#refuse(toolCallId, toolResult.textResultForLlm);
  }

  #onFailure(failure: ModelFailure): void {
    const { facts, maxAttempts } = this.#options;
    this.#failure = failureError(failure, facts);
    this.#failures += 1;
    if (!passing.has(this.#failure.code) || this.#failures >= maxAttempts) {
      this.#abandon(this.#failure);
      return;
    }
    this.#context.emit({
      type: "retry.scheduled",
      attempt: this.#failures,
      maxAttempts,
      delayMs: 1000, // the runtime does not tell; this was observed
      reason: this.#failure.message,
    });
  }

  #onIdle(): void {
    const object = this.#object;
    this.#settle(() => this.#end.resolve(object ? { reason: "natural", object: object.value } : { reason: "natural" }));
  }

  #crash(message: string): BackendCrashError {
    return new BackendCrashError(`Copilot's runtime failed: ${this.#options.facts.redact(message)}`);
  }

  #endByBudget(): void {
    const object = this.#object;
    const end: TurnEnd = object ? { reason: "natural", object: object.value } : { reason: "budget" };
    this.#settle(() => void this.#options.abort().finally(() => this.#end.resolve(end)));
  }

  #abandon(error: BridleError): void {
    if (this.#isOver) return;
    void this.#options.abort();
    this.#settle(() => this.#end.reject(error));
  }

  /** The first end counts. */
  #settle(settleEnd: () => void): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#silence.stop();
    const report = this.#spending.report();
    if (report) this.#context.emit(report);
    this.#context.signal.removeEventListener("abort", this.#onAbort);
    settleEnd();
  }
}
