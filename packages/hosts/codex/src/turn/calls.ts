import { OrderedCalls, type SilenceWatch } from "@bridle/host-shared";
import type { ToolReply, TurnContext } from "@bridle/protocol";
import { outputText } from "../history/observed-items.ts";
import type { ThreadRequest } from "../process/app-server.ts";
import type { StepCall } from "./step.ts";

export interface CodexCallsOptions {
  readonly context: Pick<TurnContext, "callTool" | "reportRefused">;
  readonly silence: Pick<SilenceWatch, "hold" | "release">;
  /** The names of the tools that the host asks us for. */
  readonly tools: readonly string[];
  /** Invoked when every call of the last step of the budget has been made. The host still waits for a reply then. */
  onBudget(): void;
}

/** The calls of a turn: made in the model's order, or refused by the host, and counted in the last step of the budget. */
export class CodexCalls {
  readonly #options: CodexCallsOptions;
  readonly #ordered = new OrderedCalls<ThreadRequest, ToolReply>((call) => this.#make(call));
  /** Calls whose reply the host has not reported yet, by id. */
  readonly #open = new Map<string, StepCall>();
  readonly #failed = new Set<string>();
  #running = 0;
  /** Set in the last step of the budget: the call whose reply the host never gets, so that it sends no further request. */
  #last: { callId: string | undefined; isMade: boolean } | undefined;

  constructor(options: CodexCallsOptions) {
    this.#options = options;
  }

  hasFailed(callId: string): boolean {
    return this.#failed.has(callId);
  }

  /** A response is complete, with these calls. `isLast` if the budget allows no further one. */
  complete(calls: readonly StepCall[], isLast: boolean): void {
    const expected = calls.filter(({ tool, isReadable }) => isReadable && this.#options.tools.includes(tool));
    for (const call of calls) this.#open.set(call.callId, call);
    const last = expected.at(-1)?.callId;
    if (isLast && calls.length > 0) this.#last = { callId: last, isMade: last === undefined };
    this.#ordered.complete(expected.map(({ callId }) => callId));
    this.#endAtBudget();
  }

  /** The reply for the host; undefined if it must not get one. */
  async reply(request: ThreadRequest): Promise<ToolReply | undefined> {
    const reply = await this.#ordered.request(request);
    this.#endAtBudget();
    return request.callId === this.#last?.callId ? undefined : reply;
  }

  /** The host reports the result of a call. One that we did not give is its own refusal. */
  receiveOutput(callId: string, output: unknown): void {
    const call = this.#open.get(callId);
    this.#open.delete(callId);
    this.#ordered.skip(callId);
    if (call) this.#options.context.reportRefused(call, outputText(output));
  }

  async #make({ callId, tool, input }: ThreadRequest): Promise<ToolReply> {
    const { context, silence } = this.#options;
    this.#open.delete(callId);
    this.#running += 1;
    silence.hold(callId);
    try {
      const reply = await context.callTool({ callId, tool, input });
      if (reply.isError) this.#failed.add(callId);
      if (callId === this.#last?.callId) this.#last.isMade = true;
      return reply;
    } finally {
      this.#running -= 1;
      silence.release(callId);
    }
  }

  #endAtBudget(): void {
    if (!this.#last?.isMade || this.#running > 0) return;
    for (const call of this.#open.values()) this.#options.context.reportRefused(call, `unsupported call: ${call.tool}`);
    this.#open.clear();
    this.#options.onBudget();
  }
}
