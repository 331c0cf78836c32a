import type { ApiTestRun, TestRunNews } from "@bridle/client";
import { expect, test } from "vitest";
import { foldProgress, noProgress } from "./live-progress.ts";

/** Only what the fold reads. */
function run(state: ApiTestRun["state"], outcomes: readonly string[]): TestRunNews {
  const cases = [{ trials: outcomes.map((outcome) => ({ outcome })) }];
  return { type: "run", run: { state, plan: { cases: ["a", "b"], trials: 2 }, cases } as unknown as ApiTestRun };
}
const started = (name: string, trial: number): TestRunNews => ({ type: "trial.started", case: name, trial });
const ended = (name: string, trial: number, outcome: string): TestRunNews =>
  ({ type: "trial.finished", result: { case: name, trial, outcome } }) as unknown as TestRunNews;

test("trials that begin and end are counted, and those in progress are named", () => {
  const news = [run("running", ["passed"]), started("a", 2), started("b", 1), ended("a", 2, "failed")];
  expect(news.reduce(foldProgress, noProgress)).toEqual({
    ...{ ended: 2, planned: 4, notPassed: 1, running: [{ case: "b", trial: 1 }], waiting: undefined },
  });
});

test("after a new connection the whole run counts, and trials in progress stay named until they end", () => {
  const news = [run("running", []), started("a", 1), started("b", 1), run("running", ["passed", "failed"])];
  expect(news.reduce(foldProgress, noProgress)).toMatchObject({ ended: 2, notPassed: 1 });
  expect([...news, run("finished", ["passed", "passed", "passed", "passed"])].reduce(foldProgress, noProgress)).toEqual(
    {
      ...{ ended: 4, planned: 4, notPassed: 0, running: [], waiting: undefined },
    },
  );
});

test("a usage limit that trials wait for is said until one moves", () => {
  const waiting: TestRunNews = { type: "waiting", until: 1, message: "The five_hour limit is used up." };
  expect([run("running", []), waiting].reduce(foldProgress, noProgress).waiting).toMatch(/five_hour/);
  expect([run("running", []), waiting, started("a", 1)].reduce(foldProgress, noProgress).waiting).toBeUndefined();
});
