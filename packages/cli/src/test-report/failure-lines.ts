import { formatInput } from "@bridle/app";
import type { CallEntry, CaseResult, Failure, TrialResult, TurnResult } from "@bridle/app/tests";
import { formatDuration } from "@bridle/protocol";
import { fitLine } from "../terminal/fit-line.ts";
import { indentLines, type Page } from "../terminal/page.ts";
import { toPrintableLine } from "../terminal/printable.ts";
import { fromDifference, labelledLines, labelledWhole } from "./labelled.ts";
import { colourOf, markOf } from "./outcomes.ts";
import type { ResultCommands } from "./result-commands.ts";

const maxCalls = 5;
const maxCallLength = 160;

/** Formats a case that did not pass: prompt, expectation, answer, reason, and the commands that show more. */
export function failureLines(result: CaseResult, commands: ResultCommands, page: Page): string[] {
  const trial = chooseTrial(result);
  if (trial === undefined) return [];
  const { failures, turns } = trial;
  const numbers = [...new Set(failures.map(({ turn }) => turn))].toSorted((a, b) => (a ?? 0) - (b ?? 0));
  const which = result.trials.length > 1 ? trial.trial : undefined;
  return [
    ...titleLines(result, trial, page),
    ...numbers.flatMap((number) => turnLines(trial, number, page)),
    ...labelledWhole("see", listCommands(commands.showCase(result.name, which), turns, commands), page),
  ];
}

/** Chooses the trial to show: the first that failed, or else the first with a host error. */
function chooseTrial({ trials }: CaseResult): TrialResult | undefined {
  const first = (outcome: TrialResult["outcome"]) => trials.find((trial) => trial.outcome === outcome);
  return first("failed") ?? first("errored");
}

function titleLines({ name, trials, passed, flaky }: CaseResult, trial: TrialResult, page: Page): string[] {
  const several = `: ${passed} of ${trials.length} trials passed${flaky ? " (flaky)" : ""}; this is trial ${trial.trial}`;
  const text = `${markOf(trial.outcome)} ${toPrintableLine(name)} (${formatDuration(trial.durationMs)})`;
  const whole = trials.length > 1 ? text + several : text;
  return indentLines(whole, "", page).map((line) => page.paint(colourOf(trial.outcome), line));
}

/** Formats the failures of a turn, or of the whole case. */
function turnLines({ turns, failures }: TrialResult, number: number | null, page: Page): string[] {
  const own = failures.filter(({ turn }) => turn === number);
  const turn = turns[(number ?? 1) - 1];
  const which = turns.length > 1 && number !== null ? ` (turn ${number} of ${turns.length})` : "";
  return [
    ...(turn ? labelledLines("asked", turn.input + which, page) : []),
    ...(turn && hasCalls(own) ? labelledLines("called", callsText(turn.transcript), page) : []),
    ...(turn ? labelledLines("answered", turn.answer.trim() || "nothing", page) : []),
    ...own.flatMap((failure) => reasonLines(failure, turn, page)),
  ];
}

const ofCalls: readonly Failure["kind"][] = ["expected-tools", "unknown-tool", "unknown-argument", "tool-denied"];

function hasCalls(failures: readonly Failure[]): boolean {
  return failures.some(({ kind }) => ofCalls.includes(kind));
}

function callsText(transcript: readonly CallEntry[]): string {
  const calls = transcript.filter((entry) => entry.kind === "call");
  if (calls.length === 0) return "nothing";
  const shown = calls.slice(0, maxCalls).map(({ tool, input, state }) => {
    const how = state === "succeeded" ? "" : ` (${state})`;
    return fitLine(`${tool} ${formatInput(input)}`, maxCallLength) + how;
  });
  return [...shown, ...(calls.length > maxCalls ? [`and ${calls.length - maxCalls} more`] : [])].join("\n");
}

/** Omits the received text if it is the answer, unless only its end differs from the expected text. */
function reasonLines({ message, expected, received }: Failure, turn: TurnResult | undefined, page: Page): string[] {
  const [wanted, actual] = fromDifference(expected ?? "", received ?? "");
  const isShown = received?.trim() === turn?.answer.trim() && actual === received;
  const isNew = (text: string) => text !== "" && !message.includes(text);
  return [
    ...labelledLines("why", message, page, "bold"),
    ...(isNew(wanted) ? labelledLines("expected", wanted, page, "green") : []),
    ...(isNew(actual) && !isShown ? labelledLines("received", actual, page, "red") : []),
  ];
}

function listCommands(show: string, turns: readonly TurnResult[], { replay }: ResultCommands): string[] {
  const runId = turns.findLast((turn) => turn.runId !== null)?.runId ?? null;
  return [show, ...(runId === null ? [] : [replay(runId)])];
}
