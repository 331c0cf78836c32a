import type { RunEvent, RunResult } from "@bridle/protocol";

/** What runs cost that ended in an error: the error has their id, and nothing of their usage. */
export interface JudgeExpenses {
  /** Contract: is handed every event of the runtimes whose models judge. */
  observe(event: RunEvent): void;
  /** What a judge's run that failed used, once. */
  take(runId: string): Expense | undefined;
}

export type Expense = Pick<RunResult, "usage" | "cost" | "model">;

export const judgeRole = "judge";

export function createJudgeExpenses(): JudgeExpenses {
  const running = new Set<string>();
  const failed = new Map<string, Expense>();
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
