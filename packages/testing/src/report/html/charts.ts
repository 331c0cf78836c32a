/** Charts are table rows: the numbers are beside the bars, so no information is only in a picture. */

import { formatDuration } from "@bridle/protocol";
import type { CaseResult, TestRun } from "../../result/test-run.ts";
import { failureKinds } from "../../result/trial-result.ts";
import { failuresOf, failureWords, meanDuration } from "../facts.ts";
import { html, type Markup } from "./markup.ts";

interface Row {
  readonly name: Markup;
  readonly value: number;
  readonly text: string;
}

/** The number of cases with each kind of failure. */
export function reasonsPanel({ cases }: TestRun): Markup | false {
  const rows = failureKinds.flatMap((kind) => {
    const value = cases.filter((each) => failuresOf(each).some((failure) => failure.kind === kind)).length;
    return value > 0 ? [{ name: html`${failureWords[kind]}`, value, text: String(value) }] : [];
  });
  const sorted = rows.toSorted((a, b) => b.value - a.value);
  return rows.length > 0 && barPanel("Reasons for failures", ["Reason", "Cases"], sorted);
}

/** The slowest cases, with links to them. */
export function slowestPanel({ cases, plan }: TestRun): Markup | false {
  const timed = cases.map((result, index) => ({ result, index, value: meanDuration(result) }));
  const slowest = timed.filter(({ value }) => value > 0).toSorted((a, b) => b.value - a.value);
  const rows = slowest.slice(0, 8).map(({ result, index, value }) => ({
    ...{ name: linkTo(result, index), value, text: formatDuration(value) },
  }));
  const time = plan.trials > 1 ? "Mean time of a trial" : "Time";
  return rows.length > 0 && barPanel("Slowest cases", ["Case", time], rows);
}

function linkTo({ name }: CaseResult, index: number): Markup {
  return html`<a href="#case-${index + 1}"><bdi>${name}</bdi></a>`;
}

function barPanel(title: string, [name, value]: readonly [string, string], rows: readonly Row[]): Markup {
  const most = Math.max(...rows.map((row) => row.value));
  return html`<section class="panel half"><h2>${title}</h2>
<table class="bars"><thead><tr><th scope="col">${name}</th><td class="chart"></td><th scope="col" class="num">${value}</th></tr></thead>
<tbody>${rows.map((row) => html`<tr><th scope="row">${row.name}</th><td class="chart">${bar(row.value / most)}</td><td class="num">${row.text}</td></tr>`)}</tbody></table>
</section>`;
}

function bar(share: number): Markup {
  const width = Math.max(1, Math.round(share * 1000) / 10);
  return html`<svg class="bar" aria-hidden="true"><rect class="base" width="100%" height="100%" rx="3"/><rect width="${width}%" height="100%" rx="3"/></svg>`;
}
