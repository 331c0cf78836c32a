import { type ActionDecision, getErrorMessage, resolveAnnotations, type ToolAction, toJson } from "@bridle/protocol";
import type { ToolCallAuthorizer } from "../authorize-tool-call.ts";
import { callIsOver } from "../tool-replies.ts";

interface ActionOptions {
  readonly authorizer: Pick<ToolCallAuthorizer, "authorizeToolCall">;
  /** Whether the call has no outcome yet. */
  isOpen(callId: string): boolean;
  /** Ends the run because the user asked for it. */
  stop(reason: string): void;
}

/** The questions of one call. A running call can have one open question at a time. */
interface CallQuestions {
  last: Promise<unknown>;
  count: number;
}

/**
 * Decides whether running tools may take their next actions. The annotations of such a tool do not count, because an action may destroy
 * data.
 */
export class ActionAuthorizer {
  readonly #options: ActionOptions;
  readonly #calls = new Map<string, CallQuestions>();

  constructor(options: ActionOptions) {
    this.#options = options;
  }

  /** Decides whether an action may run. `source` is the origin of the call's tool. */
  authorize(callId: string, source: string | undefined, action: ToolAction): Promise<ActionDecision> {
    const call = this.#calls.get(callId) ?? { last: Promise.resolve(), count: 0 };
    this.#calls.set(callId, call);
    const decision = call.last.then(() => this.#decide(callId, source, action, call));
    call.last = decision;
    return decision;
  }

  async #decide(
    callId: string,
    source: string | undefined,
    { tool, input, preview }: ToolAction,
    call: CallQuestions,
  ): Promise<ActionDecision> {
    const { authorizer, isOpen, stop } = this.#options;
    try {
      const recorded = toJson(input);
      call.count += 1;
      const decided = await authorizer.authorizeToolCall({
        callId,
        tool,
        input: recorded,
        recorded,
        annotations: resolveAnnotations({}),
        builtin: false,
        identity: { source: `${source ?? "the program"}: ${tool}` },
        firstAttempt: call.count,
        preview: async () => preview,
      });
      if (decided.allow) return isOpen(callId) ? { allow: true } : { allow: false, reply: callIsOver };
      if (decided.stop !== undefined) stop(decided.stop);
      return { allow: false, reply: decided.output };
    } catch (error) {
      return { allow: false, reply: `The question could not be asked: ${getErrorMessage(error)}` };
    }
  }
}
