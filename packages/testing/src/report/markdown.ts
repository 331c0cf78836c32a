/** Formats a comment for a pull request: failures first, and never longer than a comment may be. */
import { counted, formatDuration } from "@bridle/protocol";
import type { CaseResult, TestRun } from "../result/test-run.ts";
import {
  failuresOf,
  failureWords,
  formatLocation,
  type LocatedFailure,
  meanDuration,
  outcomeWords,
  runFacts,
  summaryLine,
  totalFacts,
  worstFirst,
  worstOutcome,
} from "./facts.ts";
import { block, details, table, words } from "./markdown-text.ts";
import { formatMean, formatPercent, formatScore, formatScoreInterval, formatThreshold, none } from "./numbers.ts";
import { clip } from "./plain-text.ts";

/** The maximum length of the report. GitHub accepts 65,536 characters; the rest is for text around the report. */
const longest = 60_000;
const marks = { passed: "✅", failed: "❌", errored: "⚠️", "not-run": "⏸️" } as const;

export function markdownReport(run: TestRun): string {
  const head = [headline(run), ...stopLine(run)].join("\n\n");
  const foot = [metricsPart(run), plan(run)].filter((part) => part !== "").join("\n\n");
  const room = longest - head.length - foot.length;
  const bad = worstFirst(run.cases).filter(({ outcome }) => outcome !== "passed");
  const good = run.cases.filter(({ outcome }) => outcome === "passed");
  const rows = bad.length > 0 ? [fitting(bad.map(caseRow), room * 0.35, caseTable)] : [];
  const why = fitting(bad.filter((each) => failuresOf(each).length > 0).map(failurePart), room * 0.4, paragraphs);
  const passed =
    good.length > 0 ? [details(`${counted(good.length, "case")} passed`, passedPart(good, room * 0.2))] : [];
  return `${[head, ...rows, why, ...passed, foot].filter((part) => part !== "").join("\n\n")}\n`;
}

function headline(run: TestRun): string {
  const totals = totalFacts(run).map(([name, value]) => `${name}: ${words(value)}`);
  const model = `${words(run.plan.model)} on ${words(run.plan.backend)}`;
  const title = `### ${marks[worstOutcome(run)]} ${words(run.plan.agent.name)}: ${words(summaryLine(run))}`;
  return `${title}\n\n${[...totals, model].join(" · ")}`;
}

function stopLine({ stop }: TestRun): string[] {
  return stop === null ? [] : [`**Not everything ran.** ${words(clip(stop.message, 500))}`];
}

const caseTable = (rows: readonly string[][]) => table(["", "Case", "Trials", "Time", "Why"], rows);
const paragraphs = (parts: readonly string[]) => parts.join("\n\n");

function caseRow(result: CaseResult): string[] {
  const { name, outcome, passed, trials } = result;
  const [first] = failuresOf(result);
  const why = first ? `${failureWords[first.kind]}: ${words(clip(first.message, 200))}` : outcomeWords[outcome];
  const time = trials.length > 0 ? formatDuration(meanDuration(result)) : none;
  const mark = `${marks[outcome]} ${outcomeWords[outcome]}${result.flaky ? ", flaky" : ""}`;
  return [mark, words(clip(name, 160)), `${passed}/${trials.length}`, time, why];
}

function passedPart(cases: readonly CaseResult[], room: number): string {
  const rows = cases.map((each) => [
    words(clip(each.name, 160)),
    `${each.passed}/${each.trials.length}`,
    formatDuration(meanDuration(each)),
  ]);
  return fitting(rows, room, (some) => table(["Case", "Trials", "Time"], some));
}

function failurePart(result: CaseResult): string {
  const failures = failuresOf(result);
  const shown = failures.slice(0, 5).map((failure) => failureText(failure, result));
  const more = failures.length > 5 ? [`And ${counted(failures.length - 5, "more failure")}.`] : [];
  const title = `${marks[result.outcome]} ${words(clip(result.name, 160))}`;
  return details(title, paragraphs([...shown, ...more]));
}

function failureText(failure: LocatedFailure, result: CaseResult): string {
  const head = `**${failureWords[failure.kind]}**${formatLocation(failure, result)}: ${words(clip(failure.message, 500))}`;
  const expected = failure.expected === null ? [] : ["Expected", block(clip(failure.expected, 800))];
  const received = failure.received === null ? [] : ["Received", block(clip(failure.received, 800))];
  return paragraphs([head, ...expected, ...received]);
}

function metricsPart({ summary: { metrics } }: TestRun): string {
  if (metrics.length === 0) return "";
  const rows = metrics.slice(0, 40).map((metric) => {
    const { interval, deviation, unit, threshold, passes } = metric;
    const spread = deviation === null ? "" : ` ± ${formatScore(deviation, unit)}`;
    const needs = threshold === null ? "differs" : formatThreshold({ passes, threshold, unit });
    const judged = metric.passed + metric.failed + metric.errored;
    const passed = `${metric.passed}/${judged} (${formatPercent(judged === 0 ? 0 : metric.passed / judged)})`;
    return [
      words(clip(metric.name, 100)),
      `${formatMean(metric)}${spread}`,
      formatScoreInterval(interval, unit),
      needs,
      passed,
      String(metric.errored),
    ];
  });
  return details("Metrics", table(["Metric", "Mean", "95% interval", "Threshold", "Passed", "Could not run"], rows));
}

function plan(run: TestRun): string {
  const rows = runFacts(run).map(([name, value]) => [name, words(clip(value, 300))]);
  return details("Test set-up", table(["", ""], rows));
}

/** Returns as many of the first entries as fit, and the number of the others. */
function fitting<Part>(parts: readonly Part[], room: number, join: (some: readonly Part[]) => string): string {
  let length = 0;
  const kept = parts.filter((part) => {
    length += (Array.isArray(part) ? part.join(" | ") : String(part)).length + 8;
    return length <= room;
  });
  const missing = parts.length - kept.length;
  const note = missing > 0 ? `\n\nAnd ${counted(missing, "more case")}: see the report in HTML or JSON.` : "";
  return kept.length + missing === 0 ? "" : `${join(kept)}${note}`;
}
