import { caseOutcome, type Failure, type TrialResult } from "@bridle/app/tests";
import { formatDuration } from "@bridle/protocol";
import { fitLine } from "../terminal/fit-line.ts";
import type { Colour } from "../terminal/paint.ts";
import { toPrintableLine } from "../terminal/printable.ts";
import { colourOf, markOf } from "./outcomes.ts";

/** The maximum length of a reason. */
const maxReasonLength = 200;

/** Formats a finished case on one line: `✗ knows the hours (1.2 s): 2 of 3 trials passed; contains "closed": expected ≥ 1, got 0` */
export function caseLine(trials: readonly TrialResult[]): { readonly colour: Colour; readonly text: string } {
  const outcome = caseOutcome(trials, trials.length);
  const time = formatDuration(trials.reduce((sum, { durationMs }) => sum + durationMs, 0));
  const words = [`${markOf(outcome)} ${trials[0]?.case ?? ""} (${time})`, ...reasonWords(trials)];
  return { colour: colourOf(outcome), text: toPrintableLine(words.join(": ")) };
}

function reasonWords(trials: readonly TrialResult[]): string[] {
  const passed = trials.filter((each) => each.outcome === "passed").length;
  const share = trials.length > 1 ? `${passed} of ${trials.length} trials passed` : undefined;
  const reason = firstReason(trials.flatMap(({ failures }) => failures));
  if (reason === undefined) return share === undefined ? [] : [share];
  return [share === undefined ? reason : `${share}; ${reason}`];
}

/** Returns the first reason, and the number of further reasons. */
function firstReason([first, ...more]: readonly Failure[]): string | undefined {
  if (first === undefined) return undefined;
  const text = fitLine(first.message, maxReasonLength);
  return more.length === 0 ? text : `${text} (and ${more.length} more)`;
}
