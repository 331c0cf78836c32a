import { formatDuration } from "@bridle/protocol";
import type { CaseResult, Entry, Failure, TrialResult, TurnResult } from "@bridle/testing";
import { printableLine } from "../chat/printable.ts";
import { formatInput, oneLine } from "../run/format.ts";
import { indented, type Page } from "../sessions/session-text.ts";
import { fromDifference, labelled, labelledWhole } from "./labelled.ts";
import { colourOf, markOf } from "./outcomes.ts";

/** Commands that tell more. */
export interface Pointers {
  showCase(name: string, trial: number | undefined): string;
  replay(runId: string): string;
}

const mostCalls = 5;
const longestCall = 160;

/** A case that did not pass: what was asked, what was expected, what came, why, and where to look. */
export function failureLines(result: CaseResult, pointers: Pointers, page: Page): string[] {
  const trial = telling(result);
  if (trial === undefined) return [];
  const { failures, turns } = trial;
  const numbers = [...new Set(failures.map(({ turn }) => turn))].toSorted((a, b) => (a ?? 0) - (b ?? 0));
  const which = result.trials.length > 1 ? trial.trial : undefined;
  return [
    ...titleLines(result, trial, page),
    ...numbers.flatMap((number) => turnLines(trial, number, page)),
    ...labelledWhole("look", lookLines(pointers.showCase(result.name, which), turns, pointers), page),
  ];
}

/** The trial that shows best why: the first that failed, else the first with an error of the host. */
function telling({ trials }: CaseResult): TrialResult | undefined {
  const first = (outcome: TrialResult["outcome"]) => trials.find((trial) => trial.outcome === outcome);
  return first("failed") ?? first("errored");
}

function titleLines({ name, trials, passed, flaky }: CaseResult, trial: TrialResult, page: Page): string[] {
  const several = `: ${passed} of ${trials.length} trials passed${flaky ? " (flaky)" : ""}; this is trial ${trial.trial}`;
  const text = `${markOf(trial.outcome)} ${printableLine(name)} (${formatDuration(trial.durationMs)})`;
  const whole = trials.length > 1 ? text + several : text;
  return indented(whole, "", page).map((line) => page.paint(colourOf(trial.outcome), line));
}

/** What went wrong in a turn, or in the whole case. */
function turnLines({ turns, failures }: TrialResult, number: number | null, page: Page): string[] {
  const own = failures.filter(({ turn }) => turn === number);
  const turn = turns[(number ?? 1) - 1];
  const which = turns.length > 1 && number !== null ? ` (turn ${number} of ${turns.length})` : "";
  return [
    ...(turn ? labelled("asked", turn.input + which, page) : []),
    ...(turn && hasCalls(own) ? labelled("called", callsText(turn.transcript), page) : []),
    ...(turn ? labelled("answered", turn.answer.trim() || "nothing", page) : []),
    ...own.flatMap((failure) => reasonLines(failure, turn, page)),
  ];
}

function hasCalls(failures: readonly Failure[]): boolean {
  return failures.some(({ kind }) => kind === "expected-tools" || kind === "unknown-tool" || kind === "tool-denied");
}

function callsText(transcript: readonly Entry[]): string {
  const calls = transcript.filter((entry) => entry.kind === "call");
  if (calls.length === 0) return "nothing";
  const shown = calls.slice(0, mostCalls).map(({ tool, input, state }) => {
    const how = state === "succeeded" ? "" : ` (${state})`;
    return oneLine(`${tool} ${formatInput(input)}`, longestCall) + how;
  });
  return [...shown, ...(calls.length > mostCalls ? [`and ${calls.length - mostCalls} more`] : [])].join("\n");
}

/** What came is not told again where it is the answer itself, unless it differs from what was expected far in it. */
function reasonLines({ message, expected, received }: Failure, turn: TurnResult | undefined, page: Page): string[] {
  const [wanted, came] = fromDifference(expected ?? "", received ?? "");
  const isTold = received?.trim() === turn?.answer.trim() && came === received;
  const says = (text: string) => text !== "" && !message.includes(text);
  return [
    ...labelled("why", message, page, "bold"),
    ...(says(wanted) ? labelled("expected", wanted, page, "green") : []),
    ...(says(came) && !isTold ? labelled("came", came, page, "red") : []),
  ];
}

function lookLines(show: string, turns: readonly TurnResult[], { replay }: Pointers): string[] {
  const runId = turns.findLast((turn) => turn.runId !== null)?.runId ?? null;
  return [show, ...(runId === null ? [] : [replay(runId)])];
}
