import { counted, formatCount, formatDuration, totalTokens } from "@bridle/protocol";
import type { CaseOutcome } from "../../result/headline.ts";
import type { TestRun, TestSummary } from "../../result/test-run.ts";
import { judgesCost, outcomeWords, summaryLine, worstOutcome } from "../facts.ts";
import { costWords, dollarWords, formatPercent, formatRateInterval, moment, tokenWords } from "../numbers.ts";
import { icon } from "./icons.ts";
import { html, type Markup } from "./markup.ts";

/** Shows the summary line, the facts of the invocation and the totals. */
export function headline(run: TestRun): Markup {
  const { plan, stop } = run;
  return html`<header class="top">
<p class="eyebrow"><bdi>${plan.agent.name}</bdi></p>
<h1 class="${worstOutcome(run)}">${icon(worstOutcome(run))}<span>${capital(summaryLine(run))}</span></h1>
<p class="what">${facts(run).map((fact) => html`<span>${fact}</span> `)}</p>
${stop !== null && html`<p class="stop"><strong>Not everything ran.</strong> ${stop.message}</p>`}
${outcomes(run.summary)}
<dl class="tiles">${tiles(run).map(([name, value, note]) => html`<div><dt>${name}</dt><dd>${value}${note !== "" && html`<small>${note}</small>`}</dd></div>`)}</dl>
</header>`;
}

function facts({ plan, startedAt }: TestRun): string[] {
  const commit = plan.git && `commit ${plan.git.commit.slice(0, 12)}${plan.git.dirty ? " with changes" : ""}`;
  const rehearsal = plan.rehearsal === null ? [] : [`rehearsed by ${plan.rehearsal}`];
  const trials = plan.trials > 1 ? [`${plan.trials} trials per case`] : [];
  const model = `${plan.model} on ${plan.backend}`;
  return [model, ...rehearsal, ...trials, ...(commit === null ? [] : [commit]), moment(startedAt)];
}

function tiles({ durationMs, plan, summary }: TestRun): [name: string, value: string, note: string][] {
  const { usage, flaky, cost } = summary;
  const aboutCost = [cost?.estimate ? "an estimate" : "", judgesCost(summary)].filter((part) => part !== "");
  return [
    [
      "Pass rate",
      formatPercent(summary.passRate),
      [
        plan.trials > 1 ? `of trials; ${counted(flaky, "flaky case")}` : "of trials that passed or failed",
        ...(summary.passRateInterval === null ? [] : [`95% interval ${formatRateInterval(summary.passRateInterval)}`]),
      ].join("; "),
    ],
    ["Duration", formatDuration(durationMs), `${plan.parallel} in parallel`],
    ["Cost", cost === null ? costWords(null) : dollarWords(cost), aboutCost.join(", ")],
    ["Tokens", formatCount(totalTokens(usage)), tokenWords(usage)],
  ];
}

/** The minimum width of a segment, because one case of hundreds has to be visible. */
const minWidth = 0.008;

function outcomes(summary: TestSummary): Markup {
  const counts: readonly (readonly [CaseOutcome, number])[] = [
    ["passed", summary.passed],
    ["failed", summary.failed],
    ["errored", summary.errored],
    ["not-run", summary.notRun],
  ];
  const there = counts.filter(([, count]) => count > 0);
  const words = there.map(([outcome, count]) => `${outcomeWords[outcome]}: ${count}`).join(", ");
  const widths = there.map(([, count]) => Math.max(minWidth, count / summary.cases));
  const sum = widths.reduce((total, width) => total + width, 0);
  const segments = there.map(([outcome], index) => {
    const before = widths.slice(0, index).reduce((total, width) => total + width, 0);
    const [x, width] = [before, widths[index] ?? 0].map((each) => Math.round((each / sum) * 10_000) / 100);
    const gap = index > 0 && html`<line class="gap" x1="${x ?? 0}%" x2="${x ?? 0}%" y2="100%"/>`;
    return html`<rect class="fill-${outcome}" x="${x ?? 0}%" width="${width ?? 0}%" height="100%"/>${gap}`;
  });
  return html`<svg class="outcomes" role="img" aria-label="Cases by outcome. ${words}">${segments}</svg>
<ul class="legend">${there.map(([outcome, count]) => html`<li>${icon(outcome)}<strong>${count}</strong> ${outcomeWords[outcome].toLowerCase()}</li>`)}</ul>`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
