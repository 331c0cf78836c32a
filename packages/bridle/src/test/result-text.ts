import { counted } from "@bridle/protocol";
import { formatPercent, type TestRun } from "@bridle/testing";
import { printableLine } from "../chat/printable.ts";
import { cutAt } from "../report/columns.ts";
import { indented, type Page } from "../sessions/session-text.ts";
import { caseLine } from "./case-line.ts";
import { failureLines, type Pointers } from "./failure-lines.ts";
import { spentWords } from "./figures.ts";
import { metricLines } from "./metric-lines.ts";
import { colourOf, markOf } from "./outcomes.ts";
import { trialLines } from "./trial-lines.ts";

/** Further ones are told by their number: nobody reads a hundred from a terminal. */
const mostFailures = 20;

/** An invocation for people: with a list of all cases, where they were not shown yet; each case that did not pass, the metrics, the trials, what it came to, and where it is kept. */
export function resultText(
  run: TestRun,
  pointers: Pointers & { showRun(id: string): string },
  page: Page,
  withList = false,
): string {
  const { cases, summary, plan } = run;
  const wrong = cases.filter(({ outcome }) => outcome === "failed" || outcome === "errored");
  const parts = [
    withList ? listLines(run, page) : [],
    ...wrong.slice(0, mostFailures).map((each) => failureLines(each, pointers, page)),
    wrong.length > mostFailures ? [`and ${counted(wrong.length - mostFailures, "case")} more that did not pass`] : [],
    metricLines(summary.metrics, page),
    plan.trials > 1 ? trialLines(run, page) : [],
    [...verdictLines(run, page), ...indented(`Kept: ${pointers.showRun(run.id)}`, "", page)],
  ];
  const told = parts.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
  return `${told.join("\n\n")}\n`;
}

function listLines({ cases }: TestRun, page: Page): string[] {
  return cases.map(({ name, trials, outcome }) => {
    if (outcome === "not-run")
      return page.paint(colourOf(outcome), cutAt(`${markOf(outcome)} ${printableLine(name)}: not run`, page.width));
    const { colour, text } = caseLine(trials);
    return page.paint(colour, cutAt(text, page.width));
  });
}

function verdictLines(run: TestRun, page: Page): string[] {
  const { summary, plan } = run;
  const { cases, passed, failed, errored, notRun, flaky } = summary;
  const colour = failed > 0 ? "red" : errored > 0 || notRun > 0 ? "yellow" : "green";
  const words = [
    `${passed} of ${counted(cases, "case")} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(errored > 0 ? [`${errored} with an error of the host`] : []),
    ...(notRun > 0 ? [`${notRun} not run`] : []),
    ...(flaky > 0 ? [`${flaky} flaky`] : []),
    ...(plan.trials > 1 ? [`${formatPercent(summary.passRate)} of the trials passed`] : []),
  ];
  return [
    ...indented(words.join(", "), "", page).map((line) => page.paint(colour, line)),
    ...indented(`${spentWords(run)}; ${modelWords(run)}`, "", page),
  ];
}

function modelWords({ plan: { backend, model, rehearsal } }: TestRun): string {
  const host = `${model} on ${backend}`;
  return printableLine(rehearsal === null ? host : `rehearsed by ${rehearsal}, as ${host}`);
}
