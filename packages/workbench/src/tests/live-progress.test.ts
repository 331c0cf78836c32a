import type { ApiTestRunOverview, TestOverviewNews } from "@bridle/client";
import { expect, test } from "vitest";
import { foldNews, noNews, progressOf } from "./live-progress.ts";

/**
 * Creates a run with only the fields that the progress uses. The outcomes are listed in this order: the first trials of a and b, then their
 * second trials.
 */
function run(state: ApiTestRunOverview["state"], outcomes: readonly string[]): TestOverviewNews {
  const names = ["a", "b"];
  const trials = outcomes.map((outcome, at) => ({ case: names[at % 2], trial: Math.floor(at / 2) + 1, outcome }));
  const cases = names.map((name) => ({ name, trials: trials.filter((each) => each.case === name) }));
  return {
    type: "run",
    run: { state, plan: { cases: ["a", "b"], trials: 2 }, cases } as unknown as ApiTestRunOverview,
  };
}
const started = (name: string, trial: number): TestOverviewNews => ({ type: "trial.started", case: name, trial });
const ended = (name: string, trial: number, outcome: string): TestOverviewNews =>
  ({ type: "trial.finished", result: { case: name, trial, outcome } }) as unknown as TestOverviewNews;

const progress = (news: readonly TestOverviewNews[]) => progressOf(news.reduce(foldNews, noNews));

test("trials that begin and end are counted, and those in progress are named", () => {
  const news = [run("running", ["passed"]), started("a", 2), started("b", 1), ended("a", 2, "failed")];
  expect(progress(news)).toEqual({
    ended: 2,
    planned: 4,
    notPassed: 1,
    running: [{ case: "b", trial: 1 }],
    waiting: undefined,
  });
});

test("after a new connection the whole run counts, and trials in progress stay named until they end", () => {
  const begun = [started("a", 1), started("b", 1), started("a", 2)];
  const news = [run("running", []), ...begun, run("running", ["passed", "failed"])];
  expect(progress(news)).toMatchObject({ ended: 2, notPassed: 1, running: [{ case: "a", trial: 2 }] });
  expect(progress([...news, run("finished", ["passed", "passed", "passed", "passed"])])).toEqual({
    ended: 4,
    planned: 4,
    notPassed: 0,
    running: [],
    waiting: undefined,
  });
});

test("a trial counts once if both the whole run and its own news have it", () => {
  const news = [run("running", ["failed"]), started("a", 1), ended("a", 1, "failed")];
  expect(progress(news)).toMatchObject({ ended: 1, notPassed: 1, running: [] });
});

test("a usage limit that trials wait for is said until one moves", () => {
  const waiting: TestOverviewNews = { type: "waiting", until: 1, message: "The five_hour limit is used up." };
  expect(progress([run("running", []), waiting]).waiting).toMatch(/five_hour/);
  expect(progress([run("running", []), waiting, started("a", 1)]).waiting).toBeUndefined();
});
