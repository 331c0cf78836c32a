import { mean, passAtK, passHatK } from "@bridle/metrics";
import type { TrialStatistics } from "../result/test-run.ts";

/** Computes the chances for k from 1 to the number of trials. `passed` is the number of trials that passed. */
export function trialStatistics(trials: number, passed: number): TrialStatistics {
  return upTo(trials).map((k) => ({
    k,
    passAtK: passAtK(trials, passed, k),
    passHatK: passHatK(trials, passed, k),
  }));
}

/** Computes, for each k, the mean over the cases that have a value for this k. */
export function meanStatistics(cases: readonly TrialStatistics[], trials: number): TrialStatistics {
  return upTo(trials).flatMap((k) => {
    const having = cases.flatMap((statistics) => statistics.filter((one) => one.k === k));
    if (having.length === 0) return [];
    const over = (key: "passAtK" | "passHatK") => mean(having.map((one) => one[key])) ?? 0;
    return [{ k, passAtK: over("passAtK"), passHatK: over("passHatK") }];
  });
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
