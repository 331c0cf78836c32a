import { caseOutcome, type TestPlan, type TrialResult } from "@bridle/app/tests";

interface RunningTrial {
  readonly case: string;
  readonly trial: number;
  /** When the trial started, in milliseconds since the epoch. */
  readonly since: number;
}

/** The progress of a test run. */
export interface Tally {
  readonly plan: TestPlan;
  readonly startedAt: number;
  /** The running trials, in the order of their start. */
  readonly running: readonly RunningTrial[];
  /** The finished trials, by case. */
  readonly ended: ReadonlyMap<string, readonly TrialResult[]>;
  /** The durations of the trials that this process ran. */
  readonly spentMs: readonly number[];
}

export function startTally(plan: TestPlan, finished: readonly TrialResult[], now: number): Tally {
  const ended = Map.groupBy(finished, (result) => result.case);
  return { plan, startedAt: now, running: [], ended, spentMs: [] };
}

export function startTrial(tally: Tally, trial: RunningTrial): Tally {
  return { ...tally, running: [...tally.running, trial] };
}

export function endTrial(tally: Tally, result: TrialResult): Tally {
  const isOther = (each: RunningTrial) => each.case !== result.case || each.trial !== result.trial;
  return {
    ...tally,
    running: tally.running.filter(isOther),
    ended: selectTrial(tally.ended, result),
    spentMs: [...tally.spentMs, result.durationMs],
  };
}

function selectTrial(ended: Tally["ended"], result: TrialResult): Tally["ended"] {
  const others = (ended.get(result.case) ?? []).filter(({ trial }) => trial !== result.trial);
  return new Map(ended).set(result.case, [...others, result]);
}

/** Returns all trials of a case; `undefined` if it is not finished. */
export function finishedTrials({ ended, plan }: Tally, name: string): readonly TrialResult[] | undefined {
  const trials = ended.get(name) ?? [];
  return trials.length < plan.trials ? undefined : trials;
}

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly errored: number;
  /** Cases that are running or have not started. */
  readonly left: number;
}

export function countCases(tally: Tally): Counts {
  const { plan } = tally;
  const ended = plan.cases.map((name) => finishedTrials(tally, name)).filter((each) => each !== undefined);
  const outcomes = ended.map((trials) => caseOutcome(trials, plan.trials));
  const count = (outcome: TrialResult["outcome"]) => outcomes.filter((each) => each === outcome).length;
  return {
    passed: count("passed"),
    failed: count("failed"),
    errored: count("errored"),
    left: plan.cases.length - outcomes.length,
  };
}

/** Estimates the remaining milliseconds from the mean duration of the finished trials. `undefined` before the first one. */
export function estimateLeft({ plan, ended, spentMs, running }: Tally, now: number): number | undefined {
  if (spentMs.length === 0) return undefined;
  const mean = spentMs.reduce((sum, each) => sum + each, 0) / spentMs.length;
  const done = [...ended.values()].reduce((sum, trials) => sum + trials.length, 0);
  const waiting = Math.max(0, plan.cases.length * plan.trials - done - running.length);
  const remaining = running.map(({ since }) => Math.max(0, mean - (now - since)));
  const longest = Math.max(0, ...remaining);
  const all = remaining.reduce((sum, each) => sum + each, waiting * mean);
  return Math.max(longest, all / plan.parallel);
}
