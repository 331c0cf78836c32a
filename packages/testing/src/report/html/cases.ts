import type { Comparison } from "../../compare/comparison.ts";
import type { TestRun, TestSummary } from "../../result/test-run.ts";
import { outcomeWords, worstFirst } from "../facts.ts";
import { caseItem } from "./case.ts";
import { html, type Markup } from "./markup.ts";
import type { ReasonGroup } from "./reasons.ts";

/** Lists all cases, failures first, with a filter, a search and a sort order. */
export function casesSection(run: TestRun, groups: readonly ReasonGroup[], previous: Comparison | undefined): Markup {
  const changes = new Map(previous?.cases.map(({ name, change }) => [name, change]));
  const rows = worstFirst(run.cases).map((result, rank) => {
    const reasons = groups.flatMap(({ cases }, index) => (cases.includes(result) ? [index] : []));
    const place = { index: run.cases.indexOf(result), rank };
    return caseItem(result, { ...place, reasons, change: changes.get(result.name) });
  });
  return html`<section class="cases ${run.plan.trials === 1 ? "single" : ""}" id="cases" aria-labelledby="cases-title" tabindex="-1"><h2 id="cases-title">Cases</h2>
${toolbar(run.summary)}
<div class="columns" aria-hidden="true"><span class="badges">Outcome</span><span class="name">Case</span><span class="trials num">Passed</span><span class="time num">Time</span><span class="cost num">Cost</span></div>
<ul class="case-list" id="case-list">${rows}</ul>
<p class="none" id="none" hidden>No case matches. Change the filter or the search.</p>
</section>`;
}

const orders = [
  ["problems", "Failures first"],
  ["file", "As in the agent file"],
  ["name", "By name"],
  ["slow", "Slowest first"],
  ["cost", "Most expensive first"],
  ["rate", "Lowest pass rate first"],
] as const;

function toolbar(summary: TestSummary): Markup {
  return html`<div class="toolbar" id="toolbar" role="group" aria-label="Filter and sort the cases" hidden>
<div class="filters">${filtersOf(summary).map(([name, label, count], index) => html`<button type="button" data-filter="${name}" aria-pressed="${index === 0 ? "true" : "false"}">${label} <span class="muted">${count}</span></button>`)}</div>
<div class="tools"><label class="search"><span class="sr">Search in names, texts and reasons</span><input type="search" id="search" placeholder="Search in names, texts and reasons" autocomplete="off" spellcheck="false"></label>
<span class="sort"><label class="muted" for="sort">Sort</label><select id="sort">${orders.map(([value, label]) => html`<option value="${value}">${label}</option>`)}</select></span>
<button type="button" id="open-all">Open all</button><button type="button" id="close-all">Close all</button>
<p class="muted" id="shown" role="status"></p></div>
</div>`;
}

function filtersOf(summary: TestSummary): (readonly [name: string, label: string, count: number])[] {
  const { failed, errored, notRun, flaky, passed } = summary;
  const outcomes = Object.entries({ failed, errored, "not-run": notRun, passed } as const);
  const some = outcomes.flatMap(([name, count]) => (count > 0 ? [[name, labels[name] ?? name, count] as const] : []));
  return [["all", "All", summary.cases], ...some, ...(flaky > 0 ? [["flaky", "Flaky", flaky] as const] : [])];
}

const labels: Readonly<Record<string, string>> = outcomeWords;
