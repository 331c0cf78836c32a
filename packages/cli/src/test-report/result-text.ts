import { formatPercent, formatRateInterval, type TestRun } from "@bridle/app/tests";
import { counted } from "@bridle/protocol";
import { cutAt } from "../terminal/columns.ts";
import { indentLines, type Page } from "../terminal/page.ts";
import { toPrintableLine } from "../terminal/printable.ts";
import { caseLine } from "./case-line.ts";
import { failureLines } from "./failure-lines.ts";
import { formatSpent } from "./figures.ts";
import { metricTableLines } from "./metric-lines.ts";
import { colourOf, markOf } from "./outcomes.ts";
import type { ResultCommands } from "./result-commands.ts";
import { trialLines } from "./trial-lines.ts";

/** The minimum number of trials for an interval. With fewer trials, the interval of the pass rate is too wide to be useful. */
const minTrials = 6;
/** The maximum number of failures to show. More failures are only counted. */
const maxFailures = 20;

/**
 * Formats the result of a test run: each case that did not pass, the metrics, the trials, the totals, and the command that shows the result
 * again. `withList` adds a list of all cases.
 */
export function formatResult(
  run: TestRun,
  commands: ResultCommands,
  page: Page,
  { withList = false }: { readonly withList?: boolean } = {},
): string {
  const { cases, summary, plan } = run;
  const wrong = cases.filter(({ outcome }) => outcome === "failed" || outcome === "errored");
  const parts = [
    withList ? listLines(run, page) : [],
    ...wrong.slice(0, maxFailures).map((each) => failureLines(each, commands, page)),
    wrong.length > maxFailures ? [`and ${counted(wrong.length - maxFailures, "case")} more that did not pass`] : [],
    metricTableLines(summary.metrics, page),
    plan.trials > 1 ? trialLines(run, page) : [],
    [...totalLines(run, page), ...indentLines(`See: ${commands.showRun(run.id)}`, "", page)],
  ];
  const shown = parts.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
  return `${shown.join("\n\n")}\n`;
}

function listLines({ cases }: TestRun, page: Page): string[] {
  return cases.map(({ name, trials, outcome }) => {
    if (outcome === "not-run")
      return page.paint(colourOf(outcome), cutAt(`${markOf(outcome)} ${toPrintableLine(name)}: not run`, page.width));
    const { colour, text } = caseLine(trials);
    return page.paint(colour, cutAt(text, page.width));
  });
}

function totalLines(run: TestRun, page: Page): string[] {
  const { summary, plan } = run;
  const { cases, passed, failed, errored, notRun, flaky, passRateInterval } = summary;
  const judged = run.cases.reduce((sum, { trialsJudged }) => sum + trialsJudged, 0);
  const colour = failed > 0 ? "red" : errored > 0 || notRun > 0 ? "yellow" : "green";
  const words = [
    `${passed} of ${counted(cases, "case")} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(errored > 0 ? [`${errored} with an error of the host`] : []),
    ...(notRun > 0 ? [`${notRun} not run`] : []),
    ...(flaky > 0 ? [`${flaky} flaky`] : []),
    ...(plan.trials > 1 ? [`${formatPercent(summary.passRate)} of the trials passed`] : []),
    ...(judged < minTrials ? [] : [`95% interval of the pass rate ${formatRateInterval(passRateInterval)}`]),
  ];
  return [
    ...indentLines(words.join(", "), "", page).map((line) => page.paint(colour, line)),
    ...indentLines(`${formatSpent(run)}; ${formatModel(run)}`, "", page),
  ];
}

function formatModel({ plan: { backend, model, rehearsal } }: TestRun): string {
  const host = `${model} on ${backend}`;
  return toPrintableLine(rehearsal === null ? host : `rehearsed by ${rehearsal}, as ${host}`);
}
