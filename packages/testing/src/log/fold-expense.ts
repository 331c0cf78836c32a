import { addCost, addUsage, type Cost, noCost, noUsage, type Usage } from "@bridle/protocol";
import type { TrialResult } from "../result/trial-result.ts";

/**
 * Tokens and their cost. The cost is marked as `partial` if a part of it is not known, `null` if no part is known, and 0 if no model was
 * called.
 */
export interface Expense {
  usage: Usage;
  cost: Cost | null;
}

const nothing: Expense = { usage: noUsage, cost: noCost };

/** Sums the expenses of agents and judges. */
export function expenseOf(trials: readonly TrialResult[]): Expense {
  return add(agentsExpenseOf(trials), judgesExpenseOf(trials));
}

/** Sums the expenses of agents only: of all turns that began. */
export function agentsExpenseOf(trials: readonly TrialResult[]): Expense {
  return sum(trials.flatMap(({ turns }) => turns.filter(({ runId }) => runId !== null)));
}

/** Sums the expenses of judges only. */
export function judgesExpenseOf(trials: readonly TrialResult[]): Expense {
  const metrics = trials.flatMap(({ turns }) => turns.flatMap((turn) => turn.metrics));
  return sum(metrics.flatMap(({ judgement }) => judgement ?? []));
}

function sum(parts: readonly Expense[]): Expense {
  return parts.reduce(add, nothing);
}

function add(a: Expense, b: Expense): Expense {
  const cost = addCost(a.cost ?? undefined, b.cost ?? undefined) ?? null;
  return { usage: addUsage(a.usage, b.usage), cost };
}
