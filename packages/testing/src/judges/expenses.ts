import type { RunEvent, RunResult } from "@bridle/protocol";

/** Collects the usage of failed runs. Their errors contain the id of the run, but not its usage. */
export interface JudgeExpenses {
  /** Contract: receives every event of the judges' runtimes. */
  observe(event: RunEvent): void;
  /** Returns and forgets the usage of a judge's failed run. */
  take(runId: string): JudgeExpense | undefined;
}

export type JudgeExpense = Pick<RunResult, "usage" | "cost" | "model">;

export const judgeRole = "judge";

export function createJudgeExpenses(): JudgeExpenses {
  const running = new Set<string>();
  const failed = new Map<string, JudgeExpense>();
  return {
    observe(event) {
      if (event.type === "run.started" && event.role === judgeRole) running.add(event.runId);
      if (event.type !== "run.finished" || !running.delete(event.runId)) return;
      if (event.result.stopReason !== "natural") failed.set(event.runId, event.result);
    },
    take(runId) {
      const expense = failed.get(runId);
      failed.delete(runId);
      return expense;
    },
  };
}
