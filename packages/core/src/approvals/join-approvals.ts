import type { ApprovalStore } from "@bridle/protocol";

/** The parts of a store that a question uses. */
export type AnswerSource = Pick<ApprovalStore, "answerTo" | "close">;

/** The answers of several event logs to one question: those of a nested run, and of its callers on other logs. */
export function joinApprovals(stores: readonly (AnswerSource | undefined)[]): AnswerSource | undefined {
  const [first, ...others] = new Set(stores.filter((each) => each !== undefined));
  if (first === undefined || others.length === 0) return first;
  const all = [first, ...others];
  return {
    async answerTo(id) {
      const answers = await Promise.all(all.map((each) => each.answerTo(id)));
      return answers.find((each) => each !== undefined);
    },
    async close(id) {
      const answers = await Promise.all(all.map((each) => each.close(id)));
      return answers.find((each) => each !== undefined);
    },
  };
}
