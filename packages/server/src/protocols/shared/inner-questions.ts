import type { EventOf, RunEvent } from "@bridle/protocol";

type Asked = EventOf<"approval.requested">;

/**
 * Finds questions about a part of a call: about a call by an agent that the call started, or about an action of a program. The outer call
 * is already running, and can have several such questions.
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

/** Returns the name of the agent that asks, unless it is the client's agent. */
export function nameAsker({ nested, labels }: Pick<Asked, "nested" | "labels">): string | undefined {
  return nested && labels?.agent;
}

/** Describes the agent that asks in a sentence, unless it is the client's agent. */
export function describeAsker(asked: Pick<Asked, "nested" | "labels">): string | undefined {
  const agent = nameAsker(asked);
  return agent && `Asked by the agent ${agent}.`;
}
