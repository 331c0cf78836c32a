import { OrderedCalls, type SilenceWatch } from "@bridle/host-shared";
import type { ToolCall, ToolReply, TurnContext } from "@bridle/protocol";
import { objectToolName } from "../boundary/object-tool.ts";
import type { CompleteStep } from "../messages/step-reader.ts";
import { OrderedReplies } from "./ordered-replies.ts";

export interface TurnCallsOptions {
  readonly context: Pick<TurnContext, "callTool" | "reportRefused">;
  /** The names of the tools that the model was offered. */
  readonly tools: ReadonlySet<string>;
  /** The silence watch, which does not count the time that a tool takes. */
  readonly silence: SilenceWatch;
  /** Called when every call of the last step has its result. */
  onLastCall(): void;
}

const tooLate: ToolReply = { output: "The turn is over; the call was not executed.", isError: true };

/** The calls of a turn: made in the model's order, or refused by the host. */
export class TurnCalls {
  readonly #options: TurnCallsOptions;
  readonly #ordered = new OrderedCalls<{ readonly callId: string }, ToolReply>(({ callId }) => this.#make(callId));
  readonly #replies = new OrderedReplies();
  /** The model's calls that the host has not answered yet. */
  readonly #open = new Map<string, ToolCall>();
  #isLastStep = false;
  #isOver = false;

  constructor(options: TurnCallsOptions) {
    this.#options = options;
  }

  /** Begins the calls of a complete response. With `isLastStep`, the calls are made, but the host gets no reply. */
  begin({ calls }: CompleteStep, isLastStep: boolean): void {
    const { tools } = this.#options;
    for (const { toolCallId: callId, name: tool, arguments: input } of calls) {
      if (tool !== objectToolName) this.#open.set(callId, { callId, tool, input });
    }
    this.#isLastStep = isLastStep;
    this.#ordered.complete(calls.filter(({ name }) => tools.has(name)).map(({ toolCallId }) => toolCallId));
    if (!isLastStep) return;
    // the host would refuse these only after all other results, which it does not get in the last step
    for (const { toolCallId, name } of calls) {
      if (!tools.has(name)) this.refuse(toolCallId, `Tool '${name}' does not exist.`);
    }
  }

  /** Runs a call of one of our tools in the model's order. Never resolves in the last step. */
  call(callId: string): Promise<ToolReply> {
    return this.#ordered.request({ callId });
  }

  /** Reports a call that the host refuses, because it does not know the tool or because the input is not JSON. */
  refuse(callId: string, reason: string): void {
    const call = this.#open.get(callId);
    if (!call) return;
    this.#ordered.skip(callId);
    this.#options.context.reportRefused(call, reason);
    this.#finish(callId);
  }

  /** Records that the host has the reply to a call. */
  confirm(callId: string): void {
    this.#replies.confirm(callId);
  }

  /** Stops the calls: the turn is over, and no further call is made. */
  stop(): void {
    this.#isOver = true;
    this.#replies.stop();
  }

  async #make(callId: string): Promise<ToolReply> {
    const call = this.#open.get(callId);
    if (this.#isOver || !call) return tooLate;
    return await this.#replies.pass(callId, this.#run(call));
  }

  async #run(call: ToolCall): Promise<ToolReply> {
    const { context, silence } = this.#options;
    silence.hold(call.callId);
    const reply = await context.callTool(call).finally(() => silence.release(call.callId));
    this.#finish(call.callId);
    return this.#isLastStep ? await new Promise<never>(() => {}) : reply;
  }

  /** Finishes a call. In the last step the host gets no reply, because after the replies to all calls it would send another request. */
  #finish(callId: string): void {
    this.#open.delete(callId);
    if (this.#isLastStep && this.#open.size === 0) this.#options.onLastCall();
  }
}
