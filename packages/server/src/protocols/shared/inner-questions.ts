import type { EventOf, RunEvent } from "@bridle/protocol";

type Asked = EventOf<"approval.requested">;

/**
 * Finds the questions that are about a part of a call, and not about the call itself: a call of an agent that it has started, or an
 * action of a program. The call is running, and there may be several such questions about it.
 */
export class InnerQuestions {
  readonly #running = new Set<string>();
  readonly #questions = new Map<string, Asked>();

  add(event: RunEvent): void {
    if (event.type === "tool.started") this.#running.add(event.callId);
    if (event.type === "tool.finished") this.#running.delete(event.callId);
    const isInner = event.type === "approval.requested" && this.#running.has(event.callId);
    if (isInner) this.#questions.set(event.approvalId, event);
  }

  has(approvalId: string): boolean {
    return this.#questions.has(approvalId);
  }
}

/** The agent that asks, if it is not the one that the client talks to. */
export function nameAsker({ nested, labels }: Pick<Asked, "nested" | "labels">): string | undefined {
  return nested && labels?.agent;
}

/** The same in a sentence. */
export function describeAsker(asked: Pick<Asked, "nested" | "labels">): string | undefined {
  const agent = nameAsker(asked);
  return agent && `Asked by the agent ${agent}.`;
}
