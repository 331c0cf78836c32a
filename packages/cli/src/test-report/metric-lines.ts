import { formatScore, formatThreshold, type MetricSummary, none } from "@bridle/app/tests";
import { counted } from "@bridle/protocol";
import type { Page } from "../terminal/page.ts";
import { toPrintableLine } from "../terminal/printable.ts";
import { tableLines } from "./table.ts";

/** If each case has its own metrics, there can be hundreds. */
const mostRows = 12;

/** The metrics over all trials. If not all are shown, metrics that did not always pass come first. */
export function metricTableLines(metrics: readonly MetricSummary[], page: Page, most = mostRows): string[] {
  if (metrics.length === 0) return [];
  const isPassed = ({ failed, errored }: MetricSummary) => failed === 0 && errored === 0;
  const chosen = new Set(metrics.toSorted((a, b) => Number(isPassed(a)) - Number(isPassed(b))).slice(0, most));
  const shown = metrics.filter((metric) => chosen.has(metric));
  const hidden = metrics.length - shown.length;
  return [
    ...tableLines(["Metric", "mean", "spread", "threshold", "passed"], shown.map(rowOf), page),
    ...(hidden > 0 ? [page.paint("dim", `and ${counted(hidden, "metric")} more`)] : []),
  ];
}

function rowOf({ name, unit, mean, deviation, threshold, passes, passed, failed, errored }: MetricSummary): string[] {
  return [
    toPrintableLine(name),
    formatScore(mean, unit),
    deviation === null ? none : `± ${formatScore(deviation, unit)}`,
    threshold === null ? "several" : formatThreshold({ threshold, passes, unit }),
    `${passed}/${passed + failed + errored}`,
  ];
}
