import {
  type CaseComparison,
  type Comparison,
  type Figure,
  formatChangeInterval,
  formatDelta,
  formatPair,
  formatPercent,
  type MetricChange,
  none,
} from "@bridle/app/tests";
import { counted, formatDollars, formatDuration } from "@bridle/protocol";
import { formatMinute, indentLines, type Page } from "../terminal/page.ts";
import type { Colour } from "../terminal/paint.ts";
import { toPrintable, toPrintableLine } from "../terminal/printable.ts";
import { colourOf, markOf } from "./outcomes.ts";
import { tableLines } from "./table.ts";

const indent = "  ";

/** Formats the differences between two test runs: their settings, their cases and their figures. */
export function formatComparison(comparison: Comparison, page: Page): string {
  const { before, after, warnings, differences, configuration, cases } = comparison;
  const parts = [
    [...sideLines("Before", before, page), ...sideLines("After", after, page)],
    warnings.flatMap((text) =>
      indentLines(`! ${toPrintable(text)}`, "", page).map((line) => page.paint("yellow", line)),
    ),
    settingLines(differences, page),
    configuration.length === 0 ? [] : [page.paint("bold", "The agent file"), ...unified(configuration, page)],
    ...changedLines(cases, page),
    ...listed(cases, page),
    figureLines(comparison, page),
  ];
  const shown = parts.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
  return `${shown.join("\n\n")}\n`;
}

function sideLines(
  title: string,
  { id, startedAt, passed, failed, errored, notRun }: Comparison["before"],
  page: Page,
) {
  const all = passed + failed + errored + notRun;
  const facts = `${formatMinute(startedAt)}, ${passed} of ${counted(all, "case")} passed`;
  return indentLines(toPrintableLine(`${title.padEnd(6)}  ${id}  ${facts}`), "", page);
}

function settingLines(differences: Comparison["differences"], page: Page): string[] {
  if (differences.length === 0) return [];
  const lines = differences.flatMap(({ what, before, after }) =>
    indentLines(toPrintableLine(`${what}: ${before ?? none} → ${after ?? none}`), indent, page),
  );
  return [page.paint("bold", "Different settings"), ...lines];
}

/** Colours a unified diff. A line that is too long continues on the next. */
function unified(lines: readonly string[], page: Page): string[] {
  return lines.flatMap((line) => {
    const sign = line.slice(0, 1);
    const colour = sign === "+" ? "green" : sign === "-" ? "red" : sign === "@" ? "cyan" : undefined;
    const own = indentLines(toPrintableLine(line), indent, page);
    return colour === undefined ? own : own.map((each) => page.paint(colour, each));
  });
}

const titles = {
  broken: "Broken",
  fixed: "Fixed",
  "still-failing": "Still failing",
  "still-passing": "Still passing",
  added: "New",
  removed: "Removed",
  "not-compared": "Not compared (not run, or an error of the host)",
} as const;

/** Formats the most important changes first: each case with a diff of its transcripts. */
function changedLines(cases: readonly CaseComparison[], page: Page): string[][] {
  const outcomes = { broken: "failed", fixed: "passed" } as const;
  return (["broken", "fixed"] as const).flatMap((change) => {
    const outcome = outcomes[change];
    return cases
      .filter((each) => each.change === change)
      .map(({ name, transcript, passRate }) => [
        ...titled(
          `${markOf(outcome)} ${titles[change]}: ${toPrintableLine(name)}${formatRates(passRate)}`,
          colourOf(outcome),
          page,
        ),
        ...unified(transcript?.lines ?? [], page),
      ]);
  });
}

function formatRates({ before, after }: Figure): string {
  const isPart = [before, after].some((rate) => rate !== null && rate > 0 && rate < 1);
  return isPart ? ` (${formatRate(before)} → ${formatRate(after)} of the trials passed)` : "";
}

function titled(text: string, colour: Colour, page: Page): string[] {
  return indentLines(text, "", page).map((line) => page.paint(colour, line));
}

const maxNames = 10;

function listed(cases: readonly CaseComparison[], page: Page): string[][] {
  const changes = ["still-failing", "still-passing", "added", "removed", "not-compared"] as const;
  const lines = changes.flatMap((change) => {
    const names = cases.filter((each) => each.change === change).map(({ name }) => toPrintableLine(name));
    if (names.length === 0) return [];
    const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : "";
    return indentLines(`${titles[change]} (${names.length}): ${names.slice(0, maxNames).join(", ")}${more}`, "", page);
  });
  return [lines];
}

function figureLines({ metrics, passRate, durationMs, costUsd }: Comparison, page: Page): string[] {
  const rows = [
    [...row("pass rate", passRate, formatRate), ...certaintyCells(passRate.delta, passRate, formatPercent)],
    row("duration", durationMs, (ms) => (ms === null ? none : formatDuration(ms))),
    ...(costUsd.before === null && costUsd.after === null
      ? []
      : [row("cost", costUsd, (usd) => (usd === null ? none : formatDollars(usd)))]),
    ...metrics.map(metricRow),
  ];
  return tableLines(["", "before", "after", "change", "95% interval", ""], rows, page);
}

function metricRow(metric: MetricChange): string[] {
  const { name, unit, mean } = metric;
  const [before, after] = formatPair([mean.before, mean.after], unit);
  const format = (value: number) => formatDelta(value, unit);
  return [
    toPrintableLine(name),
    before,
    after,
    changeOf(mean.delta, format),
    ...certaintyCells(mean.delta, metric, format),
  ];
}

/** Formats the interval of a change, and whether the change is more than noise. */
function certaintyCells(
  delta: number | null,
  { interval, verdict }: Pick<MetricChange, "interval" | "verdict">,
  format: (value: number) => string,
): string[] {
  const words = { better: "better", worse: "worse", unclear: "may be noise" } as const;
  return [formatChangeInterval(interval, format), verdict === null || delta === 0 ? none : words[verdict]];
}

function row(name: string, { before, after, delta }: Figure, format: (value: number | null) => string): string[] {
  return [name, format(before), format(after), changeOf(delta, format)];
}

function changeOf(delta: number | null, format: (value: number) => string): string {
  if (delta === null) return none;
  return delta === 0 ? "=" : `${delta > 0 ? "+" : "−"}${format(Math.abs(delta))}`;
}

function formatRate(share: number | null): string {
  return share === null ? none : formatPercent(share);
}
