/** What a test run in progress is doing, folded from its news. */
import type { TestRunNews } from "@bridle/client";

export interface LiveProgress {
  /** Trials that have ended. */
  readonly ended: number;
  /** Trials that are planned. */
  readonly planned: number;
  readonly notPassed: number;
  /** Trials in progress, in the order in which they began. */
  readonly running: readonly { readonly case: string; readonly trial: number }[];
  /** Why trials wait, such as for a usage limit. */
  readonly waiting: string | undefined;
}

export const noProgress: LiveProgress = { ended: 0, planned: 0, notPassed: 0, running: [], waiting: undefined };

export function foldProgress(before: LiveProgress, news: TestRunNews): LiveProgress {
  switch (news.type) {
    case "run": {
      const { cases, plan, state } = news.run;
      const trials = cases.flatMap((tested) => tested.trials);
      const notPassed = trials.filter(({ outcome }) => outcome !== "passed").length;
      const running = state === "running" ? before.running : [];
      return { ended: trials.length, planned: plan.cases.length * plan.trials, notPassed, running, waiting: undefined };
    }
    case "trial.started":
      return {
        ...before,
        running: [...withoutTrial(before, news), { case: news.case, trial: news.trial }],
        waiting: undefined,
      };
    case "trial.finished": {
      const isPassed = news.result.outcome === "passed";
      const counts = { ended: before.ended + 1, notPassed: before.notPassed + (isPassed ? 0 : 1) };
      return { ...before, ...counts, running: withoutTrial(before, news.result), waiting: undefined };
    }
    case "waiting":
      return { ...before, waiting: news.message };
  }
}

function withoutTrial({ running }: LiveProgress, ended: { readonly case: string; readonly trial: number }) {
  return running.filter((each) => each.case !== ended.case || each.trial !== ended.trial);
}
