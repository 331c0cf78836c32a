/** Charts as table rows with the numbers next to the bars, so that the numbers can also be read as text. */

import { formatDuration } from "@bridle/protocol";
import type { CaseResult, TestRun } from "../../result/test-run.ts";
import { meanDuration } from "../facts.ts";
import { divide } from "../plain-text.ts";
import { html, type Markup } from "./markup.ts";
import type { ReasonGroup } from "./reasons.ts";

/** The maximum number of groups to show. Further groups are rare. */
const maxGroups = 10;

interface Row {
  readonly name: Markup;
  readonly value: number;
  readonly text: string;
}

/** Shows the groups of reasons, each with an example. A group is a button that shows the group's cases. */
export function reasonsPanel(groups: readonly ReasonGroup[]): Markup | false {
  const max = Math.max(1, ...groups.map(({ cases }) => cases.length));
  const rows = groups
    .slice(0, maxGroups)
    .map(
      ({ name, example, cases }, index) =>
        html`<tr><th scope="row"><button type="button" class="plain" data-filter="reason-${index}" aria-pressed="false"><bdi>${name}</bdi></button><span class="example">${divide(example, 240)[0]}</span></th><td class="chart">${bar(cases.length / max)}</td><td class="num">${cases.length}</td></tr>`,
    );
  const left = groups.length - rows.length;
  return (
    groups.length > 0 &&
    html`<section class="panel wide"><h2>Why cases failed</h2>
<table class="bars reasons"><thead><tr><th scope="col">Reason, and the first example</th><td class="chart"></td><th scope="col" class="num">Cases</th></tr></thead>
<tbody>${rows}</tbody></table>${left > 0 && html`<p class="hint">${left} more reasons are in the cases below.</p>`}
</section>`
  );
}

/** Lists the slowest cases, with links to them. */
export function slowestPanel({ cases, plan }: TestRun): Markup | false {
  const timed = cases.map((result, index) => ({ result, index, value: meanDuration(result) }));
  const slowest = timed.filter(({ value }) => value > 0).toSorted((a, b) => b.value - a.value);
  const rows = slowest.slice(0, 8).map(({ result, index, value }) => ({
    name: linkTo(result, index),
    value,
    text: formatDuration(value),
  }));
  const time = plan.trials > 1 ? "Mean time of a trial" : "Time";
  return rows.length > 0 && barPanel("Slowest cases", ["Case", time], rows);
}

function linkTo({ name }: CaseResult, index: number): Markup {
  return html`<a href="#case-${index + 1}"><bdi>${name}</bdi></a>`;
}

function barPanel(title: string, [name, value]: readonly [string, string], rows: readonly Row[]): Markup {
  const max = Math.max(...rows.map((row) => row.value));
  return html`<section class="panel half"><h2>${title}</h2>
<table class="bars"><thead><tr><th scope="col">${name}</th><td class="chart"></td><th scope="col" class="num">${value}</th></tr></thead>
<tbody>${rows.map((row) => html`<tr><th scope="row">${row.name}</th><td class="chart">${bar(row.value / max)}</td><td class="num">${row.text}</td></tr>`)}</tbody></table>
</section>`;
}

function bar(share: number): Markup {
  const width = Math.max(1, Math.round(share * 1000) / 10);
  return html`<svg class="bar" aria-hidden="true"><rect class="base" width="100%" height="100%" rx="3"/><rect width="${width}%" height="100%" rx="3"/></svg>`;
}
