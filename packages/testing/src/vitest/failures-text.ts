import { shorten } from "@bridle/metrics";
import type { Failure, TrialResult, TurnResult } from "../result/trial-result.ts";

/** The maximum length of a string. The event log contains longer strings in full. */
const longest = 600;

/** Formats the failures of a turn, each with the expected and the received text, and the command that shows the run. */
export function failuresText(failures: readonly Failure[], turn: TurnResult | undefined): string {
  return [...failures.map(reasonText), ...aboutTurn(turn)].join("\n");
}

/** Formats the failures of a whole case. */
export function trialText({ case: name, failures, turns }: TrialResult): string {
  const lines = failures.map((failure) => {
    const which = turns.length > 1 && failure.turn !== null ? `Turn ${failure.turn} of ${turns.length}: ` : "";
    return which + reasonText(failure);
  });
  const last = failures.findLast(({ turn }) => turn !== null)?.turn ?? turns.length;
  return [`The case "${name}" did not pass.`, ...lines, ...aboutTurn(turns[last - 1])].join("\n");
}

function reasonText({ message, expected, received }: Failure): string {
  const says = (text: string | null): text is string => text !== null && text !== "" && !message.includes(text);
  return [
    message,
    ...(says(expected) ? [`  expected: ${cut(expected)}`] : []),
    ...(says(received) ? [`  received: ${cut(received)}`] : []),
  ].join("\n");
}

function aboutTurn(turn: TurnResult | undefined): string[] {
  if (turn === undefined) return [];
  const look = turn.runId === null ? [] : [`  see:      bridle replay ${turn.runId}`];
  return [`  asked:    ${cut(turn.input)}`, `  answered: ${cut(turn.answer) || "nothing"}`, ...look];
}

function cut(text: string): string {
  return shorten(text.trim(), longest).replaceAll("\n", "\n            ");
}
