/** A test run of 1,000 cases with 5 trials each. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeHeadline } from "../../packages/testing/src/log/headline.ts";
import { sampleRun } from "../../packages/testing/src/report/sample-run-for-tests.ts";
import { inRounds, printFigures } from "./figures.ts";
import { clickOn, firstTextOf } from "./observers.ts";
import { type PageStage, withPage } from "./stage.ts";

export function measureTestMatrix(rounds: number): Promise<void> {
  return withPage("tests", async (stage) => {
    const id = writeTestRun(stage.workspace.context.project.testRunsFolder);
    const seen = await inRounds(rounds, () => filter(stage, id));
    printFigures("A test run of 1,000 cases with 5 trials each", [
      { name: "first content", values: seen.map(({ firstMs }) => firstMs) },
      { name: "a filter, until it is painted", values: seen.map(({ filterMs }) => filterMs), goal: 200 },
      { name: "the filter that shows most", values: seen.map(({ allMs }) => allMs), goal: 200 },
      { name: "a letter of a search", values: seen.map(({ letterMs }) => letterMs), goal: 200 },
    ]);
  });
}

function writeTestRun(folder: string): string {
  const run = sampleRun({ cases: 1000, trials: 5 });
  const time = Date.parse(run.startedAt);
  const { id, plan } = run;
  const trials = run.cases.flatMap((tested) => tested.trials);
  const events = [
    { type: "begun", version: 1, time, id, plan },
    ...trials.map((result) => ({ type: "trial", time, result })),
    { type: "ended", time, stop: null, headline: makeHeadline(run) },
  ];
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${id}.jsonl`), events.map((event) => `${JSON.stringify(event)}\n`).join(""));
  return id;
}

function filter({ visit }: PageStage, id: string) {
  return visit(`/tests/${id}`, async (page) => {
    const firstMs = await page.evaluate<number>(firstTextOf(".case-line"));
    const button = (place: number) => `.cases .actions button:nth-of-type(${place})`;
    const filterMs = await page.evaluate<number>(clickOn(button(2)));
    const allMs = await page.evaluate<number>(clickOn(button(1)));
    await page.getByLabel("Text in the name").focus();
    await page.evaluate("bench.interactions.clear()");
    await page.keyboard.type("order", { delay: 150 });
    await page.waitForTimeout(300);
    const letterMs = await page.evaluate<number>("Math.max(16, ...bench.interactions.values())");
    return { firstMs, filterMs, allMs, letterMs };
  });
}
