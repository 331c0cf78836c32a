import { type PriceTable, reachedEvents, SilenceWatch, silenceError } from "@bridle/host-shared";
import {
  BackendCrashError,
  type BackendEvent,
  BoundaryError,
  type ConversationSpec,
  isBridleError,
  omitUndefined,
  StoppedError,
  type TurnContext,
  type TurnEnd,
} from "@bridle/protocol";
import { type CodexFailureFacts, turnError } from "../errors/classify-turn.ts";
import { toWireOutput } from "../history/response-items.ts";
import { WindowWarnings } from "../limits/window-events.ts";
import { type InputCheck, isInput } from "../messages/input-check.ts";
import type { HostLimits, HostTurnError, Line, Notification, RawItem } from "../messages/messages.ts";
import type { ThreadReceiver, ThreadRequest } from "../process/app-server.ts";
import { type CallResult, CodexCalls } from "./calls.ts";
import type { Patches } from "./patches.ts";
import { CodexRetries, isConclusive } from "./retries.ts";
import { CodexSteps, type StepCall } from "./step.ts";

export interface CodexTurnOptions {
  context: TurnContext;
  spec: ConversationSpec;
  prices: PriceTable;
  /** Milliseconds without a message from the host after which the turn fails. The time that tools take does not count. */
  idleTimeoutMs: number;
  maxRetries: number;
  /** Tells passed input and additions apart. */
  check: InputCheck;
  /** Missing if the run does not open `apply_patch`. */
  patches: Patches | undefined;
  /** Returns the facts for an error of the host, read when it fails. */
  facts(): CodexFailureFacts;
  /** Makes the host end its turn. */
  interrupt(): void;
  /** Ends the host's thread. The turn continues in another one. */
  leaveThread(): void;
  /** Starts another thread that continues the turn. */
  changeThread(): Promise<InputCheck>;
  /** Receives each item of the conversation. */
  observe(item: RawItem, isError: boolean): void;
}

/** One turn: a message to the host, and everything that the host sends until the turn is over. */
export class CodexTurn implements ThreadReceiver {
  readonly #options: CodexTurnOptions;
  readonly #context: TurnContext;
  readonly #steps: CodexSteps;
  readonly #silence: SilenceWatch;
  readonly #calls: CodexCalls;
  readonly #end = Promise.withResolvers<TurnEnd>();
  readonly #windows = new WindowWarnings();
  readonly #retries: CodexRetries;
  #check: InputCheck;
  #turnId: string | undefined;
  #isOver = false;

  constructor(options: CodexTurnOptions) {
    const { context, spec, prices, idleTimeoutMs, check, patches } = options;
    const { auth, isSubscription } = options.facts();
    this.#options = options;
    this.#check = check;
    this.#context = context;
    this.#retries = new CodexRetries(options.maxRetries);
    const isObject = spec.outputSchema !== undefined;
    this.#steps = new CodexSteps({ model: spec.model, prices, isEstimate: isSubscription, isObject });
    this.#end.promise.catch(() => {});
    this.#silence = new SilenceWatch(idleTimeoutMs, () => this.fail(silenceError("Codex", idleTimeoutMs, auth)));
    this.#calls = new CodexCalls({
      context,
      silence: this.#silence,
      tools: spec.tools.map(({ name }) => name),
      patches,
      leaveThread: () => options.leaveThread(),
      continueElsewhere: (results) => void this.#continueElsewhere(results),
      onBudget: () => this.#settle(() => this.#end.resolve({ reason: "budget" }), true),
    });
    context.signal.addEventListener("abort", this.#onAbort, { once: true });
    if (context.signal.aborted) this.#onAbort();
  }

  /** Resolves with the end of the turn, or rejects with a BridleError. */
  get end(): Promise<TurnEnd> {
    return this.#end.promise;
  }

  /** Whether a response of the model has begun. From then on, sending the message again could repeat an action. */
  get hasBegun(): boolean {
    return this.#steps.count > 0 || this.#steps.hasStarted;
  }

  receive(notification: Notification): void {
    if (this.#isOver) return;
    this.#silence.restart();
    const { method, params } = notification;
    switch (method) {
      case "item/agentMessage/delta":
        this.#emit(this.#steps.delta("text.delta", params.delta));
        break;
      case "item/reasoning/summaryTextDelta":
      case "item/reasoning/textDelta":
        this.#emit(this.#steps.delta("reasoning.delta", params.delta));
        break;
      case "item/started":
      case "item/completed":
        this.#onPatch(params.item);
        break;
      case "turn/started":
        this.#turnId = params.turn.id;
        break;
      case "rawResponseItem/completed":
        if (params.turnId === this.#turnId) this.#onItem(params.item);
        else this.#checkInput(params.item); // this is the history, which the host may report during the turn
        break;
      case "rawResponse/completed":
        this.#onResponse(this.#steps.finish(params.usage));
        break;
      case "thread/tokenUsage/updated":
        this.#steps.contextWindow = params.tokenUsage.modelContextWindow ?? undefined;
        break;
      case "error":
        if (params.willRetry) this.#onRetry(params.error);
        break;
      case "turn/completed":
        this.#onCompleted(params.turn);
    }
  }

  receiveRaw(line: Line): void {
    const isPiece = line.method?.toLowerCase().endsWith("delta");
    const isWanted = !this.#isOver && !isPiece && this.#context.eventDetails?.includes("host-messages");
    if (isWanted) this.#context.emit({ type: "host.message", raw: line });
  }

  receiveLimits(limits: HostLimits): void {
    if (!this.#isOver) this.#emit(this.#windows.update(limits));
  }

  async answer(request: ThreadRequest): Promise<unknown> {
    if (this.#isOver) return undefined;
    const reply = await this.#calls.reply(request);
    return this.#isOver ? undefined : reply;
  }

  fail(error: unknown): void {
    const problem = isBridleError(error)
      ? error
      : new BackendCrashError("Codex sent an invalid message.", { cause: error });
    this.#settle(() => this.#end.reject(problem), true);
  }

  readonly #onAbort = () => this.fail(new StoppedError("The turn was stopped."));

  #onItem(item: RawItem): void {
    const id = item.call_id ?? "";
    this.#options.observe(item, this.#calls.hasFailed(id));
    if (item.type.endsWith("_output")) this.#calls.receiveOutput(id, item.output);
    else if (isInput(item)) this.#checkInput(item);
    else this.#emit(this.#steps.item(item));
  }

  #checkInput(item: RawItem): void {
    const difference = this.#check.difference(item);
    if (difference === undefined) return;
    this.fail(new BoundaryError(`Codex did not keep to its input: ${difference}. No tool was run.`, [difference]));
  }

  #onPatch(item: { type: string }): void {
    if (item.type !== "fileChange" || this.#options.patches?.update(item)) return;
    const difference = "files were changed without a question";
    this.fail(new BoundaryError(`Codex did not keep to its tools: ${difference}.`, [difference]));
  }

  /** Continues in another thread, which gets these results and everything before, because the host's thread cannot take these results. */
  async #continueElsewhere(results: readonly CallResult[]): Promise<void> {
    if (this.#isOver) return;
    for (const result of results) this.#options.observe(toOutputItem(result), result.isError);
    this.#turnId = undefined;
    try {
      this.#check = await this.#options.changeThread();
    } catch (error) {
      this.fail(error);
    }
  }

  #onResponse({ events, calls }: { events: readonly BackendEvent[]; calls: readonly StepCall[] }): void {
    this.#retries.reset();
    this.#emit(events);
    this.#calls.complete(calls, this.#steps.count >= this.#options.spec.stepBudget);
  }

  #onRetry(error: HostTurnError): void {
    const problem = turnError(error, this.#options.facts());
    if (isConclusive(problem)) this.fail(problem);
    else this.#emit([this.#retries.next(error)]);
    this.#steps.reset();
  }

  #onCompleted({ status, error }: Extract<Notification, { method: "turn/completed" }>["params"]["turn"]): void {
    if (status === "completed") {
      const object = this.#steps.object;
      this.#emit(this.#windows.finish());
      this.#settle(() => this.#end.resolve(omitUndefined({ reason: "natural" as const, object })), false);
    } else if (error) {
      const problem = turnError(error, this.#options.facts());
      this.#emit(reachedEvents(problem));
      this.#settle(() => this.#end.reject(problem), false);
    } else this.fail(new StoppedError(`Codex ended its turn: ${status}.`));
  }

  /** Settles the turn. Only the first cause of an end counts. `interrupts` is true if the host does not know about the end yet. */
  #settle(settle: () => void, interrupts: boolean): void {
    if (this.#isOver) return;
    this.#emit(this.#steps.usageReport());
    this.#isOver = true;
    this.#silence.stop();
    this.#context.signal.removeEventListener("abort", this.#onAbort);
    if (interrupts) this.#options.interrupt();
    settle();
  }

  #emit(events: readonly BackendEvent[]): void {
    for (const event of events) this.#context.emit(event);
  }
}

function toOutputItem({ call, output, images }: CallResult): RawItem {
  const type = call.kind === "patch" ? "custom_tool_call_output" : "function_call_output";
  return { type, call_id: call.callId, output: toWireOutput({ output, images }) };
}
