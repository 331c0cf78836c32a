import type { CaseOutcome } from "../result/headline.ts";
import type { CaseResult } from "../result/test-run.ts";
import type { TrialResult } from "../result/trial-result.ts";
import { foldMetrics } from "./fold-metrics.ts";
import { trialStatistics } from "./fold-statistics.ts";

/** Combines the trials of a case, each number once. `planned` is the number of planned trials. */
export function foldCase(name: string, results: readonly TrialResult[], planned: number): CaseResult {
  const trials = results.toSorted((a, b) => a.trial - b.trial);
  const count = (outcome: TrialResult["outcome"]) => trials.filter((trial) => trial.outcome === outcome).length;
  const [passed, failed] = [count("passed"), count("failed")];
  return {
    name,
    outcome: caseOutcome(trials, planned),
    flaky: passed > 0 && failed > 0,
    passed,
    trialsJudged: passed + failed,
    statistics: trialStatistics(passed + failed, passed),
    metrics: foldMetrics(trials),
    trials,
  };
}

/** Returns the outcome of a case with these trials out of `planned` ones. */
export function caseOutcome(trials: readonly TrialResult[], planned: number): CaseOutcome {
  const count = (outcome: TrialResult["outcome"]) => trials.filter((trial) => trial.outcome === outcome).length;
  if (count("failed") > 0) return "failed";
  if (count("errored") > 0) return "errored";
  return count("passed") < planned ? "not-run" : "passed";
}
