import { formatInput } from "@bridle/app";
import {
  type CallEntry,
  type CaseResult,
  formatThreshold,
  type MetricResult,
  scoreBeside,
  type TrialResult,
  type TurnResult,
} from "@bridle/app/tests";
import { counted, formatCost, formatDuration, totalTokens } from "@bridle/protocol";
import { indentLines, type Page } from "../terminal/page.ts";
import type { Colour } from "../terminal/paint.ts";
import { toPrintable, toPrintableLine } from "../terminal/printable.ts";
import { colourOf, markOf } from "./outcomes.ts";

const indent = "  ";
/** The maximum length of a tool's result, and of the evidence for a score. The JSON contains all of it. */
const longest = 2000;

/** Formats a case in full: for each trial the conversation, the expectations and the evaluations. */
export function formatCase({ name, outcome, trials }: CaseResult, page: Page): string {
  const lines = [
    ...indentLines(`${toPrintableLine(name)}: ${outcome}`, "", page).map((line) => page.paint("bold", line)),
    ...trials.flatMap((trial) => ["", ...trialLines(trial, page)]),
    ...(trials.length === 0 ? ["It has not run."] : []),
  ];
  return `${lines.join("\n")}\n`;
}

function trialLines({ trial, outcome, durationMs, turns, failures }: TrialResult, page: Page): string[] {
  const title = `${markOf(outcome)} Trial ${trial}: ${outcome} in ${formatDuration(durationMs)}`;
  return [
    ...indentLines(title, "", page).map((line) => page.paint(colourOf(outcome), line)),
    ...turns.flatMap((turn, index) => turnLines(turn, index + 1, turns.length, page)),
    ...section("Why it did not pass", failures, ({ message }) => ["red", `${markOf(outcome)} ${message}`], page),
  ];
}

function turnLines(turn: TurnResult, number: number, count: number, page: Page): string[] {
  return [
    ...(count > 1 ? ["", page.paint("bold", `Turn ${number} of ${count}`)] : []),
    ...indentLines(factsOf(turn), "", page).map((line) => page.paint("dim", line)),
    ...turn.transcript.flatMap((entry) => ["", ...entryLines(entry, page)]),
    ...section(
      "Expected answer",
      turn.groundTruth === null ? [] : [[turn.groundTruth, ...(turn.otherGroundTruths ?? [])].join("\nor\n")],
      (text) => [undefined, text],
      page,
    ),
    ...section(
      "Expected calls",
      turn.expectedTools,
      (each) => {
        const text = `${each.expected}${each.message === null ? "" : `: ${each.message}`}`;
        const outcome = each.ok ? "passed" : "failed";
        return [colourOf(outcome), `${markOf(outcome)} ${text}`];
      },
      page,
    ),
    ...section("Metrics", turn.metrics, formatMetric, page),
  ];
}

function factsOf({ runId, model, steps, usage, cost, stopReason }: TurnResult): string {
  return [
    ...(model === null ? [] : [model]),
    counted(steps, "step"),
    counted(totalTokens(usage), "token"),
    ...(cost === null ? [] : [formatCost(cost)]),
    ...(stopReason === "natural" || stopReason === null ? [] : [`ended by ${stopReason}`]),
    ...(runId === null ? [] : [`run ${runId}`]),
  ].join(", ");
}

function entryLines(entry: CallEntry, page: Page): string[] {
  if (entry.kind === "user") {
    const files = entry.attachments.map((file) => `\n(with the file ${file})`);
    return behind("> ", entry.text + files.join(""), page);
  }
  if (entry.kind === "text") return behind("", entry.text, page);
  if (entry.kind === "reasoning") return behind("(thinking) ", entry.text, page).map((line) => page.paint("dim", line));
  const took = entry.durationMs === null ? "" : ` (${formatDuration(entry.durationMs)})`;
  const outcome = entry.state === "succeeded" ? "passed" : "failed";
  const ending = outcome === "passed" ? "" : ` ${entry.state}${entry.rule === null ? "" : ` by ${entry.rule}`}:`;
  return [
    ...behind("→ ", `${entry.tool} ${formatInput(entry.input)}${took}`, page).map((line) => page.paint("cyan", line)),
    ...behind(`${markOf(outcome)}${ending} `, entry.output ?? "", page).map((line) =>
      page.paint(colourOf(outcome), line),
    ),
  ];
}

function behind(mark: string, text: string, page: Page): string[] {
  const [first = "", ...rest] = indentLines(cut(toPrintable(text).trimEnd()), indent, page);
  return [`${mark}${first.slice(indent.length)}`.trimEnd(), ...rest];
}

function cut(text: string): string {
  return text.length <= longest
    ? text
    : `${text.slice(0, longest)}… (${text.length - longest} more characters in --json)`;
}

type PaintedText = readonly [colour: Colour | undefined, text: string];

function section<T>(title: string, entries: readonly T[], format: (entry: T) => PaintedText, page: Page): string[] {
  if (entries.length === 0) return [];
  const lines = entries.flatMap((entry) => {
    const [colour, text] = format(entry);
    const own = indentLines(cut(toPrintable(text)), indent, page);
    return colour === undefined ? own : own.map((line) => page.paint(colour, line));
  });
  return ["", page.paint("bold", title), ...lines];
}

function formatMetric(metric: MetricResult): PaintedText {
  const { name, outcome, score, reason, judgement, evidence } = metric;
  const judge = judgement === null ? "" : `\njudged by ${judgement.model ?? "a model"} on ${judgement.backend}`;
  const grounds = evidence === null ? "" : `\nfrom ${JSON.stringify(evidence)}`;
  const figure = score === null ? "no score" : `${scoreBeside(metric)}, passes ${formatThreshold(metric)}`;
  const text = `${markOf(outcome)} ${name}: ${figure}${reason === null ? "" : `\n${reason}`}${judge}${grounds}`;
  return [colourOf(outcome), text];
}
