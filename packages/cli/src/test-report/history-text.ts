import { formatPercent, type TestRunHeadline } from "@bridle/app/tests";
import { counted, formatCost, formatDuration } from "@bridle/protocol";
import { cutAt } from "../terminal/columns.ts";
import { formatMinute, indentLines, type Page } from "../terminal/page.ts";
import { toPrintableLine } from "../terminal/printable.ts";
import { colourOf, markOf } from "./outcomes.ts";

const indent = "  ";

/** Formats test runs, the newest first, followed by the results of each case from the oldest run to the newest. */
export function formatHistory(runs: readonly TestRunHeadline[], page: Page): string {
  const agents = Map.groupBy(runs, ({ agent }) => agent);
  const several = agents.size > 1;
  const lines = [
    ...runs.flatMap((run) => runLines(run, page)),
    ...[...agents].flatMap(([agent, own]) => ["", ...caseLines(several ? `Cases of ${agent}` : "Cases", own, page)]),
  ];
  return `${lines.join("\n")}\n`;
}

function runLines(run: TestRunHeadline, page: Page): string[] {
  const { id, agent, backend, model, rehearsal, trials, instructions, git } = run;
  const facts = [
    agent,
    `${model} on ${backend}${rehearsal === null ? "" : `, rehearsed by ${rehearsal}`}`,
    ...(trials > 1 ? [counted(trials, "trial")] : []),
    `instructions ${instructions}`,
    ...(git === null ? [] : [`commit ${git.commit.slice(0, 8)}${git.dirty ? " with changes" : ""}`]),
  ].join(", ");
  const summary = listResults(run).join(", ");
  const title = page.paint("bold", id);
  const first = id.length + indent.length + summary.length <= page.width ? [`${title}${indent}${summary}`] : undefined;
  const below = indentLines(toPrintableLine(facts), indent, page).map((line) => page.paint("dim", line));
  return [...(first ?? [title, ...indentLines(summary, indent, page)]), ...below];
}

function listResults(run: TestRunHeadline): string[] {
  const { startedAt, passed, failed, errored, notRun, passRate, durationMs, cost, state, stop } = run;
  return [
    formatMinute(startedAt),
    `${passed} of ${counted(passed + failed + errored + notRun, "case")} passed`,
    ...(run.trials > 1 ? [`${formatPercent(passRate)} of the trials`] : []),
    formatDuration(durationMs),
    ...(cost === null ? [] : [formatCost(cost)]),
    ...(state === "finished" ? [] : [stop === null ? state : `${state} (${stop.reason})`]),
  ];
}

type Outcome = TestRunHeadline["cases"][number]["outcome"] | "flaky" | "absent";

const legend = "✓ passed, ✗ failed, ~ flaky, ! error of the host, · not run";

function caseLines(title: string, runs: readonly TestRunHeadline[], page: Page): string[] {
  const ordered = runs.toReversed();
  const names = new Set(runs.flatMap(({ cases }) => cases.map(({ name }) => name)));
  return [
    page.paint("bold", `${title}, the oldest on the left`),
    ...indentLines(legend, indent, page).map((line) => page.paint("dim", line)),
    ...[...names].map((name) => {
      const outcomes = ordered.map((run) => outcomeIn(run, name));
      const room = Math.max(1, page.width - indent.length * 2 - outcomes.length);
      return `${indent}${outcomes.map((each) => paintMark(each, page)).join("")}${indent}${cutAt(toPrintableLine(name), room)}`;
    }),
  ];
}

function outcomeIn({ cases }: TestRunHeadline, name: string): Outcome {
  const found = cases.find((each) => each.name === name);
  if (found === undefined) return "absent";
  return found.flaky ? "flaky" : found.outcome;
}

function paintMark(outcome: Outcome, page: Page): string {
  return outcome === "absent" ? " " : page.paint(colourOf(outcome), markOf(outcome));
}
