import { createApprovalQueue } from "@bridle/core";
import { type Approval, type ApprovalAnswer, omitUndefined } from "@bridle/protocol";
import { addNote, type ChatView } from "./chat-view.ts";
import type { ChatStore } from "./store.ts";

/** Shows questions in a chat, and removes each when it is answered here or elsewhere. */
export class QuestionQueue {
  readonly #store: ChatStore<ChatView>;
  readonly #queue = createApprovalQueue();

  constructor(store: ChatStore<ChatView>) {
    this.#store = store;
  }

  /** Asks the user about a call, as the approver of a runtime. */
  async approve(approval: Approval, signal: AbortSignal): Promise<ApprovalAnswer> {
    this.#store.update((view) => ({ ...view, questions: [...view.questions, shownIn(view, approval)] }));
    const onAbort = () => this.#noteAborted(approval, signal);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      return await this.#queue.approve(approval, signal);
    } finally {
      signal.removeEventListener("abort", onAbort);
      this.#remove(approval.id);
    }
  }

  answer(id: string, answer: ApprovalAnswer & { inputHash: string }): void {
    const { accepted, message } = this.#queue.answer(id, answer);
    if (!accepted) this.#store.update((view) => addNote(view, message, "warning"));
  }

  /** Unless the run is ending, adds a note that explains why the question is no longer open. */
  #noteAborted({ tool }: Approval, { reason }: AbortSignal): void {
    if (this.#store.value.run?.isStopping !== false) return;
    const why = reason instanceof Error ? reason.message : "";
    this.#store.update((view) => addNote(view, `${tool}: ${why}`));
  }

  #remove(id: string): void {
    this.#store.update((view) => ({ ...view, questions: view.questions.filter((each) => each.id !== id) }));
  }
}

/** Keeps the labels only for questions from agents that the chat's agent calls, because users know which agent they chat with. */
function shownIn({ session }: ChatView, { labels, ...approval }: Approval): Approval {
  return { ...approval, ...(approval.sessionId !== session && omitUndefined({ labels })) };
}
