import type { ApprovalAnswer, ApprovalStore } from "@bridle/protocol";

/** The parts of a store that a question uses. */
export type AnswerSource = Pick<ApprovalStore, "watch" | "close">;

/**
 * Joins the event logs that may answer one question: the log of a nested run, and the other logs of its callers. If two users answer at the
 * same time in different logs, the denial counts.
 */
export function joinApprovals(stores: readonly (AnswerSource | undefined)[]): AnswerSource | undefined {
  const [first, ...others] = new Set(stores.filter((each) => each !== undefined));
  if (first === undefined || others.length === 0) return first;
  const all = [first, ...others];
  return {
    watch(id, listener) {
      const stops = all.map((each) => each.watch(id, listener));
      return () => {
        for (const stop of stops) stop();
      };
    },
    close: async (id) => strictest(await Promise.all(all.map((each) => each.close(id)))),
  };
}

function strictest(answers: readonly (ApprovalAnswer | undefined)[]): ApprovalAnswer | undefined {
  const given = answers.filter((each) => each !== undefined);
  return given.find(({ decision }) => decision === "deny") ?? given[0];
}
