import { type AnswerResult, type Approval, type ApprovalAnswer, type Approver, parseAnswer } from "@bridle/protocol";

/** Open questions. A page, a chat or another part of the program answers them by their ids. */
export interface ApprovalQueue {
  /** Pass this to a runtime. */
  readonly approve: Approver;
  readonly pending: readonly Approval[];
  /**
   * Answers one question, for the input that was shown. If the question is unknown or settled, or the answer is for another input, nothing
   * changes and the result reports the reason.
   *
   * @throws InvalidRequestError if the answer is malformed.
   */
  answer(id: string, answer: ApprovalAnswer & { inputHash: string }): AnswerResult;
}

const rememberedSettled = 10_000;

/**
 * Creates a queue of questions.
 *
 * @example
 * const queue = createApprovalQueue();
 * const runtime = await createRuntime({ approve: queue.approve });
 * // later, for each of queue.pending: queue.answer(id, { inputHash, decision: "allow" })
 */
export function createApprovalQueue(): ApprovalQueue {
  const open = new Map<string, { approval: Approval; resolve(answer: ApprovalAnswer): void }>();
  const settled = new Set<string>();

  function settle(id: string): void {
    open.delete(id);
    settled.add(id);
    const [oldest] = settled;
    if (settled.size > rememberedSettled && oldest !== undefined) settled.delete(oldest);
  }

  return {
    approve: (approval, signal) =>
      new Promise((resolve, reject) => {
        open.set(approval.id, { approval, resolve });
        const leave = () => {
          settle(approval.id);
          reject(new Error("the question is not open any more"));
        };
        if (signal.aborted) leave();
        else signal.addEventListener("abort", leave, { once: true });
      }),
    get pending() {
      return [...open.values()].map(({ approval }) => approval);
    },
    answer(id, given) {
      const answer = parseAnswer(given);
      const question = open.get(id);
      if (!question) return refuse(settled.has(id) ? "is settled already" : "is not known");
      if (answer.inputHash !== question.approval.inputHash) return refuse("is about another input");
      settle(id);
      question.resolve(answer);
      return { accepted: true, message: "The answer was taken." };
    },
  };
}

function refuse(reason: string): AnswerResult {
  return { accepted: false, message: `The question ${reason}. Nothing was changed.` };
}
