import { counted } from "@bridle/protocol";
import type { MetricSummary } from "../../result/test-run.ts";
import { formatMean, formatScore, formatScoreInterval, formatThreshold, none } from "../numbers.ts";
import { html, type Markup } from "./markup.ts";

/** Shows every metric: its mean, its spread and its threshold. */
export function metricsPanel(metrics: readonly MetricSummary[]): Markup | false {
  return (
    metrics.length > 0 &&
    html`<section class="panel wide"><h2>Metrics</h2>${summaryTable(metrics)}
<p class="hint">Dot: the mean. Thick line: one standard deviation to each side. Thin line: from lowest to highest. Vertical line: the threshold.</p>
</section>`
  );
}

export function summaryTable(metrics: readonly MetricSummary[]): Markup {
  return html`<table class="bars"><thead><tr><th scope="col">Metric</th><td class="chart"></td><th scope="col" class="num">Mean</th><th scope="col" class="num phone-off">95% interval</th><th scope="col" class="num phone-off">Spread</th><th scope="col" class="num phone-off">Lowest to highest</th><th scope="col" class="num phone-off">Needs</th><th scope="col" class="num">Passed</th></tr></thead>
<tbody>${metrics.map(metricRow)}</tbody></table>`;
}

function metricRow(metric: MetricSummary): Markup {
  const { name, unit, interval, deviation, min, max, passes, threshold, passed, failed, errored } = metric;
  const spread = deviation === null ? none : `± ${formatScore(deviation, unit)}`;
  const range = min === null ? none : `${formatScore(min, unit)} to ${formatScore(max, unit)}`;
  const needs = threshold === null ? "differs" : formatThreshold({ passes, threshold, unit });
  const broken = errored > 0 && html`<br><span class="errored-ink">${counted(errored, "time")} without a score</span>`;
  return html`<tr><th scope="row"><bdi>${name}</bdi></th><td class="chart">${track(metric)}</td><td class="num">${formatMean(metric)}</td><td class="num phone-off">${formatScoreInterval(interval, unit)}</td><td class="num phone-off">${spread}</td><td class="num phone-off">${range}</td><td class="num phone-off">${needs}</td><td class="num">${passed} of ${passed + failed + errored}${broken}</td></tr>`;
}

/** Shows the scale of a metric. The scale of shares is from 0 to 1. A scale with a unit ends at the highest score or the threshold. */
function track({ unit, mean, deviation, min, max, threshold }: MetricSummary): Markup {
  const end = unit === null ? 1 : Math.max(max ?? 0, threshold ?? 0) || 1;
  const at = (value: number) => `${Math.round(Math.min(1, Math.max(0, value / end)) * 1000) / 10}%`;
  const line = (kind: string, from: number, to: number) =>
    html`<line class="${kind}" x1="${at(from)}" x2="${at(to)}" y1="50%" y2="50%"/>`;
  const range = min !== null && max !== null && line("range", min, max);
  const spread = mean !== null && deviation !== null && line("spread", mean - deviation, mean + deviation);
  const need =
    threshold !== null && html`<line class="need" x1="${at(threshold)}" x2="${at(threshold)}" y1="5%" y2="95%"/>`;
  const dot = mean !== null && html`<circle class="mean" cx="${at(mean)}" cy="50%" r="5.5"/>`;
  return html`<svg class="track" aria-hidden="true">${line("base", 0, end)}${range}${spread}${need}${dot}</svg>`;
}
