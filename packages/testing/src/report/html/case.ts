import { formatDuration } from "@bridle/protocol";
import type { CaseChange } from "../../compare/comparison.ts";
import type { CaseResult } from "../../result/test-run.ts";
import type { TrialResult } from "../../result/trial-result.ts";
import {
  costOf,
  failuresOf,
  failureWords,
  formatLocation,
  type LocatedFailure,
  meanDuration,
  outcomeWords,
} from "../facts.ts";
import { dollarWords, formatPercent, none } from "../numbers.ts";
import { divide } from "../plain-text.ts";
import { badge, chevron } from "./icons.ts";
import { html, type Markup } from "./markup.ts";
import { summaryTable } from "./metrics-panel.ts";
import { shownChanges } from "./previous.ts";
import { labelled, prose } from "./texts.ts";
import { turnSection } from "./turn.ts";

/** The position of the case in the agent file, and in the list with failures first. */
interface Place {
  readonly index: number;
  readonly rank: number;
  /** The numbers of the case's groups of reasons. */
  readonly reasons: readonly number[];
  /** The difference to the previous run, if there was one. */
  readonly change: CaseChange | undefined;
}

export function caseItem(result: CaseResult, { index, rank, reasons, change }: Place): Markup {
  const { outcome, flaky, trials, passed, trialsJudged } = result;
  const [usd, ms] = [costOf(trials)?.usd ?? 0, Math.round(meanDuration(result))];
  const rate = trialsJudged > 0 ? passed / trialsJudged : 1;
  return html`<li class="case" id="case-${index + 1}" data-outcome="${outcome}" data-index="${index}" data-rank="${rank}" data-ms="${ms}" data-usd="${usd}" data-rate="${rate}"${flaky && html` data-flaky`}${reasons.length > 0 && html` data-reasons="${reasons.join(" ")}"`}${change !== undefined && html` data-change="${change}"`}><details><summary>${caseLine(result, change)}</summary>
<div class="body">${trials.length > 1 ? severalTrials(result) : trials.map((trial) => trialBody(result, trial))}${trials.length === 0 && html`<p class="muted">Not run: the invocation ended before this case.</p>`}</div></details></li>
`;
}

function caseLine(result: CaseResult, change: CaseChange | undefined): Markup {
  const changed = change === undefined ? undefined : shownChanges[change];
  const { outcome, flaky, name, trials, passed } = result;
  const [first] = failuresOf(result);
  const why = first && html`<span class="why">${failureWords[first.kind]}: ${divide(first.message, 300)[0]}</span>`;
  const total = costOf(trials);
  return html`${chevron()}<span class="badges">${badge(outcome)}${flaky && html`<span class="badge not-run">Flaky</span>`}</span><h3 class="t"><bdi>${name}</bdi>${changed !== undefined && html` <span class="badge not-run">${changed}</span>`}</h3><span class="trials num"><span class="sr">Trials passed: </span>${passed} of ${trials.length}</span><span class="time num"><span class="sr">Time: </span>${trials.length > 0 ? formatDuration(meanDuration(result)) : none}</span><span class="cost num"><span class="sr">Cost: </span>${total === null ? none : dollarWords(total)}</span>${why ?? null}`;
}

function severalTrials(result: CaseResult): Markup {
  const { trials, statistics, passed, trialsJudged } = result;
  const k = statistics.at(-1);
  const odds =
    k !== undefined && html`; pass@${k.k} ${formatPercent(k.passAtK)}, pass^${k.k} ${formatPercent(k.passHatK)}`;
  const metrics =
    result.metrics.length > 0 && html`<h4 class="sub">Metrics over the trials</h4>${summaryTable(result.metrics)}`;
  const opened = trials.findIndex(({ outcome }) => outcome !== "passed");
  return html`<h4>${passed} of ${trialsJudged} trials passed${odds}</h4>${metrics}
${trials.map((trial, index) => html`<details class="trial"${index === opened && html` open`}><summary>${chevron()}<strong>Trial ${trial.trial}</strong>${badge(trial.outcome)}<span class="muted">${formatDuration(trial.durationMs)}</span></summary><div class="inner">${trialBody(result, trial)}</div></details>`)}`;
}

function trialBody(result: CaseResult, trial: TrialResult): Markup {
  const { failures, turns, outcome } = trial;
  const placed = failures.map((failure) => ({ ...failure, trial: trial.trial }));
  const alone = { ...result, trials: [trial] };
  const title = outcome === "errored" ? outcomeWords.errored : "Why it failed";
  const why = placed.length > 0 && html`<h4>${title}</h4>${placed.map((failure) => failureCard(failure, alone))}`;
  return html`${why}${turns.map((turn, index) => turnSection(turn, { number: index + 1, of: turns.length }))}`;
}

function failureCard(failure: LocatedFailure, result: CaseResult): Markup {
  const { kind, message, expected, received, code } = failure;
  const pair = [
    expected !== null && labelled("Expected", prose(expected)),
    received !== null && labelled("Received", prose(received)),
  ];
  const both = (expected ?? received) !== null && html`<div class="pair">${pair}</div>`;
  return html`<div class="card ${kind === "backend" ? "errored" : ""}"><p class="t" dir="auto"><span class="kind">${failureWords[kind]}${formatLocation(failure, result)}.</span> ${message}</p>${code !== null && html`<p class="hint">Code: ${code}</p>`}${both}</div>`;
}
