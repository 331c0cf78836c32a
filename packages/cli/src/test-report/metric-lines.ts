import {
  formatMean,
  formatScore,
  formatScoreInterval,
  formatThreshold,
  type MetricSummary,
  none,
} from "@bridle/app/tests";
import { counted } from "@bridle/protocol";
import type { Page } from "../terminal/page.ts";
import { toPrintableLine } from "../terminal/printable.ts";
import { tableLines } from "./table.ts";

/** The maximum number of metrics to show. If each case has its own metrics, there can be hundreds. */
const maxRows = 12;

/** Formats the metrics over all trials. If not all are shown, metrics that did not always pass come first. */
export function metricTableLines(metrics: readonly MetricSummary[], page: Page, max = maxRows): string[] {
  if (metrics.length === 0) return [];
  const isPassed = ({ failed, errored }: MetricSummary) => failed === 0 && errored === 0;
  const chosen = new Set(metrics.toSorted((a, b) => Number(isPassed(a)) - Number(isPassed(b))).slice(0, max));
  const shown = metrics.filter((metric) => chosen.has(metric));
  const hidden = metrics.length - shown.length;
  const figures = columnsFor(shown);
  const rows = shown.map((metric) => [toPrintableLine(metric.name), ...figures.map(([, cell]) => cell(metric))]);
  return [
    ...tableLines(["Metric", ...figures.map(([title]) => title)], rows, page),
    ...(hidden > 0 ? [page.paint("dim", `and ${counted(hidden, "metric")} more`)] : []),
  ];
}

type Column = readonly [title: string, cell: (metric: MetricSummary) => string];

const intervalColumn: Column = ["95% interval", ({ interval, unit }) => formatScoreInterval(interval, unit)];

/** Chooses the columns. Intervals have a column if any metric has one, for which it needs several scores. */
function columnsFor(metrics: readonly MetricSummary[]): readonly Column[] {
  return [
    ["mean", formatMean],
    ...(metrics.some(({ interval }) => interval !== null) ? [intervalColumn] : []),
    ["spread", ({ deviation, unit }) => (deviation === null ? none : `± ${formatScore(deviation, unit)}`)],
    [
      "threshold",
      ({ threshold, ...rest }) => (threshold === null ? "several" : formatThreshold({ threshold, ...rest })),
    ],
    ["passed", ({ passed, failed, errored }) => `${passed}/${passed + failed + errored}`],
  ];
}
