import { counted } from "@bridle/core";
import { formatScore, formatThreshold, type MetricSummary, none } from "@bridle/testing";
import { printableLine } from "../chat/printable.ts";
import type { Page } from "../sessions/session-text.ts";
import { tableLines } from "./table.ts";

/** Where each case has metrics of its own there may be hundreds. */
const mostRows = 12;

/** The metrics over all trials: those that did not pass everywhere first, where not all are shown. */
export function metricLines(metrics: readonly MetricSummary[], page: Page, most = mostRows): string[] {
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
    printableLine(name),
    formatScore(mean, unit),
    deviation === null ? none : `± ${formatScore(deviation, unit)}`,
    threshold === null ? "several" : formatThreshold({ threshold, passes, unit }),
    `${passed}/${passed + failed + errored}`,
  ];
}
