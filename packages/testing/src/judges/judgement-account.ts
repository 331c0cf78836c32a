import { addCost, addUsage, noCost, noUsage } from "@bridle/protocol";
import type { Judgement } from "../result/trial-result.ts";
import type { JudgeExpense } from "./expenses.ts";

/** The total usage of all calls of one metric. */
export interface JudgementAccount {
  add(call: Partial<JudgeExpense> & { readonly backend: string; readonly runId: string }): void;
  /** Returns the usage; `undefined` if there was no call. */
  sum(): Judgement | undefined;
}

export function createJudgementAccount(): JudgementAccount {
  let sum: Judgement | undefined;
  return {
    add({ backend, runId, model, usage = noUsage, cost }) {
      const before = sum === undefined ? noCost : (sum.cost ?? undefined);
      sum = {
        backend,
        model: model ?? sum?.model ?? null,
        runIds: [...(sum?.runIds ?? []), runId],
        usage: addUsage(sum?.usage ?? noUsage, usage),
        cost: addCost(before, cost) ?? null,
      };
    },
    sum: () => sum,
  };
}
