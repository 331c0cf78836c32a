import type { Question } from "./question-keys.ts";

/** The inputs that the user sent from this window, by call. If the tool rejects an input, the user is asked about the same call again. */
const sent = new Map<string, string>();

const maxKept = 100;

type AskedCall = Pick<Question, "run" | "callId">;

export function noteEdit(question: AskedCall, text: string): void {
  sent.set(keyOf(question), text);
  const [oldest] = sent.keys();
  if (sent.size > maxKept && oldest !== undefined) sent.delete(oldest);
}

/** Returns the user's input if the tool rejected it. */
export function findRefusedEdit(question: AskedCall & Pick<Question, "problem">): string | undefined {
  return question.problem === null ? undefined : sent.get(keyOf(question));
}

function keyOf({ run, callId }: AskedCall): string {
  return `${run} ${callId}`;
}
