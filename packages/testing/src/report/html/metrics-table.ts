import { counted, totalTokens } from "@bridle/protocol";
import type { Judgement, MetricResult } from "../../result/trial-result.ts";
import { costWords, formatThreshold, scoreBeside } from "../numbers.ts";
import { chevron, icon } from "./icons.ts";
import { html, type Markup } from "./markup.ts";
import { code } from "./texts.ts";

/** Shows the metrics of a turn, each with its reason and evidence. */
export function metricsTable(metrics: readonly MetricResult[]): Markup | false {
  if (metrics.length === 0) return false;
  return html`<h4 class="sub">Metrics</h4><table class="metrics"><thead><tr><th scope="col">Metric</th><th scope="col">Outcome</th><th scope="col" class="num">Score</th><th scope="col" class="num">Threshold</th></tr></thead>${metrics.map(metricBody)}</table>`;
}

const words: Readonly<Record<MetricResult["outcome"], string>> = {
  passed: "Passed",
  failed: "Failed",
  errored: "Could not run",
};

function metricBody(metric: MetricResult): Markup {
  const { name, outcome } = metric;
  const because = explanation(metric);
  return html`<tbody><tr><th scope="row"><bdi class="t">${name}</bdi></th><td><span class="state ${outcome}-ink">${icon(outcome)}${words[outcome]}</span></td><td class="num">${scoreBeside(metric)}</td><td class="num">${formatThreshold(metric)}</td></tr>
${because.length > 0 && html`<tr class="because"><td colspan="4">${because}</td></tr>`}</tbody>`;
}

function explanation({ reason, judgement, evidence }: MetricResult): Markup[] {
  const parts = [
    reason !== null && html`<p class="t" dir="auto">${reason}</p>`,
    judgement !== null && html`<p class="hint">${judged(judgement)}</p>`,
    evidence !== null && html`<details class="more"><summary>${chevron()}Evidence</summary>${code(evidence)}</details>`,
  ];
  return parts.filter((part) => part !== false);
}

function judged({ model, backend, cost: spent, usage }: Judgement): string {
  return `Judged by ${model ?? "a model"} on ${backend}, ${counted(totalTokens(usage), "token")}, cost ${costWords(spent)}`;
}
