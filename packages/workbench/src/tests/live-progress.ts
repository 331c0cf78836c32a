/** The live progress of a test run, computed from its news. */
import type { TestOverviewNews } from "@bridle/client";

export interface LiveProgress {
  /** The number of trials that have ended. */
  readonly ended: number;
  /** The number of planned trials. */
  readonly planned: number;
  readonly notPassed: number;
  /** The trials in progress, in the order in which they began. */
  readonly running: readonly TrialPlace[];
  /** Why trials wait, for example because of a usage limit. */
  readonly waiting: string | undefined;
}

interface TrialPlace {
  readonly case: string;
  readonly trial: number;
}

/** Collects the news of a test run. */
export interface FoldedNews extends Pick<LiveProgress, "planned" | "running" | "waiting"> {
  /** Whether each finished trial passed, by name. The whole run and the news of a trial can both contain the same trial. */
  readonly results: ReadonlyMap<string, boolean>;
}

export const noNews: FoldedNews = { planned: 0, results: new Map(), running: [], waiting: undefined };

export function foldNews(before: FoldedNews, news: TestOverviewNews): FoldedNews {
  switch (news.type) {
    case "run": {
      const { cases, plan, state } = news.run;
      const results = new Map(
        cases.flatMap(({ name, trials }) => trials.map((trial) => resultOf({ ...trial, case: name }))),
      );
      const running = state === "running" ? before.running.filter((each) => !results.has(nameOf(each))) : [];
      return { planned: plan.cases.length * plan.trials, results, running, waiting: undefined };
    }
    case "trial.started": {
      const running = [...withoutTrial(before, news), { case: news.case, trial: news.trial }];
      return { ...before, running, waiting: undefined };
    }
    case "trial.finished": {
      const results = new Map([...before.results, resultOf(news.result)]);
      return { ...before, results, running: withoutTrial(before, news.result), waiting: undefined };
    }
    case "waiting":
      return { ...before, waiting: news.message };
  }
}

export function progressOf({ planned, results, running, waiting }: FoldedNews): LiveProgress {
  const notPassed = [...results.values()].filter((hasPassed) => !hasPassed).length;
  return { ended: results.size, planned, notPassed, running, waiting };
}

function nameOf(place: TrialPlace): string {
  return `${place.trial} ${place.case}`;
}

function resultOf(ended: TrialPlace & { readonly outcome: string }): [name: string, hasPassed: boolean] {
  return [nameOf(ended), ended.outcome === "passed"];
}

function withoutTrial({ running }: FoldedNews, ended: TrialPlace) {
  return running.filter((each) => nameOf(each) !== nameOf(ended));
}
