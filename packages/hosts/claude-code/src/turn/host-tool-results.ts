import type { TurnContext } from "@bridle/protocol";
import type { HostToolResult } from "../messages/step-tracker.ts";

/** Passes the host's tool results to the turn's context: results of allowed host tools, and refusals. */
export class HostToolResults {
  readonly #context: TurnContext;
  readonly #allowedCalls = new Set<string>();
  /** Results of calls that the host refused while their response was still streaming. */
  readonly #deferred: HostToolResult[] = [];

  constructor(context: TurnContext) {
    this.#context = context;
  }

  /** Records that a host tool may run, so that its result completes the call. */
  allow(callId: string): void {
    this.#allowedCalls.add(callId);
  }

  pass({ call, isError, output }: HostToolResult): void {
    if (this.#allowedCalls.delete(call.callId)) this.#context.completeHostTool(call.callId, !isError, output);
    else if (isError) this.#context.reportRefused(call, output);
  }

  /** Keeps a result until `passDeferred`. */
  defer(result: HostToolResult): void {
    this.#deferred.push(result);
  }

  passDeferred(): void {
    for (const result of this.#deferred.splice(0)) this.pass(result);
  }
}
