/** Formats a case as plain text: the prompts and answers, and every call with its result. */
import { formatDuration } from "@bridle/protocol";
import type { CallEntry } from "../result/call.ts";
import type { CaseResult } from "../result/test-run.ts";
import type { TurnResult } from "../result/trial-result.ts";
import { formatThreshold, scoreBeside } from "./numbers.ts";
import { clip, readable } from "./plain-text.ts";

/** The maximum length of each text, because readers of a report keep all of it in memory. */
const longest = 10_000;

export function transcriptText({ trials }: CaseResult): string {
  const several = trials.length > 1;
  const parts = trials.map(({ trial, outcome, durationMs, turns }) => {
    const head = several ? [`=== Trial ${trial}: ${outcome}, ${formatDuration(durationMs)}`] : [];
    return [...head, ...turns.map((turn, at) => turnText(turn, at + 1, turns.length))].join("\n\n");
  });
  return parts.join("\n\n");
}

function turnText(turn: TurnResult, number: number, of: number): string {
  const head = of > 1 ? [`--- Turn ${number} of ${of}`] : [];
  const metrics = turn.metrics.map(
    (metric) => `${metric.outcome}: ${metric.name} ${scoreBeside(metric)} (needs ${formatThreshold(metric)})`,
  );
  return [...head, ...turn.transcript.map(entryText), ...metrics].join("\n");
}

function entryText(entry: CallEntry): string {
  if (entry.kind !== "call") return `${speakers[entry.kind]}: ${clip(entry.text, longest)}`;
  const took = entry.durationMs === null ? "" : `, ${formatDuration(entry.durationMs)}`;
  const output = entry.output === null ? "" : `\n${clip(entry.output, longest)}`;
  return `Call of ${entry.tool} (${entry.state}${took}): ${clip(readable(entry.input), longest)}${output}`;
}

const speakers = { user: "User", text: "Agent", reasoning: "Reasoning" } as const;
