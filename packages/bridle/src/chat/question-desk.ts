import { createApprovalQueue } from "@bridle/core";
import type { ApprovalAnswer, Approver } from "@bridle/protocol";
import type { Store } from "./store.ts";
import { addNote, type ChatView } from "./view.ts";

export interface QuestionDesk {
  /** To be handed to a runtime. */
  readonly approve: Approver;
  answer(id: string, answer: ApprovalAnswer & { inputHash: string }): void;
}

/** Puts questions into what the chat shows, and takes them out when anybody has answered, here or elsewhere. */
export function createQuestionDesk(store: Store<ChatView>): QuestionDesk {
  const desk = createApprovalQueue();

  function close(id: string): void {
    store.update((view) => ({ ...view, questions: view.questions.filter((each) => each.id !== id) }));
  }

  return {
    async approve(approval, signal) {
      store.update((view) => ({ ...view, questions: [...view.questions, approval] }));
      const onAbort = () => {
        if (store.value.run?.isStopping !== false) return; // of a run that ends there is no more to say
        const why = signal.reason instanceof Error ? signal.reason.message : "";
        store.update((view) => addNote(view, `${approval.tool}: ${why}`));
      };
      signal.addEventListener("abort", onAbort, { once: true });
      try {
        return await desk.approve(approval, signal);
      } finally {
        signal.removeEventListener("abort", onAbort);
        close(approval.id);
      }
    },
    answer(id, answer) {
      const { accepted, message } = desk.answer(id, answer);
      if (!accepted) store.update((view) => addNote(view, message, "warning"));
    },
  };
}
