import { type ActionDecision, getErrorMessage, resolveAnnotations, type ToolAction, toJson } from "@bridle/protocol";
import type { ToolCallAuthorizer } from "../authorize-tool-call.ts";

/** The questions of one call. A running call can have one open question at a time. */
interface CallQuestions {
  last: Promise<unknown>;
  count: number;
}

/** Decides about what running tools are about to do. Nothing that they claim about it counts: it may destroy data. */
export class ActionAuthorizer {
  readonly #authorizer: Pick<ToolCallAuthorizer, "authorizeToolCall">;
  readonly #calls = new Map<string, CallQuestions>();

  constructor(authorizer: Pick<ToolCallAuthorizer, "authorizeToolCall">) {
    this.#authorizer = authorizer;
  }

  /** `source` says where the tool of the call comes from. */
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
    try {
      const recorded = toJson(input);
      call.count += 1;
      const decided = await this.#authorizer.authorizeToolCall({
        ...{ callId, tool, input: recorded, recorded, annotations: resolveAnnotations({}), builtin: false },
        identity: { source: `${source ?? "the program"}: ${tool}` },
        firstAttempt: call.count,
        preview: async () => preview,
      });
      return decided.allow ? { allow: true } : { allow: false, reply: decided.output };
    } catch (error) {
      return { allow: false, reply: `The question could not be asked: ${getErrorMessage(error)}` };
    }
  }
}
