import { SlowPatternError } from "../script/pattern.ts";
import type { Script, Step } from "../script/script.ts";
import { type ScriptAnswer, toAnswer } from "./answer.ts";
import type { RehearsedConversation } from "./conversation.ts";
import { findPosition, findStep, isWholeAnswer, type ScriptPosition } from "./position.ts";
import { TemplateError } from "./template.ts";

/** The script's reply to a request: a step with its answer, or the reason why there is none. */
export type Play =
  | { readonly kind: "step"; readonly turn: number; readonly step: Step; readonly answer?: ScriptAnswer }
  | { readonly kind: "mismatch"; readonly turn?: number; readonly step?: number; readonly reason: string };

export type Player = (conversation: RehearsedConversation) => Play | Promise<Play>;

/**
 * Creates a player for a script. The conversation alone determines the next step, except after faults. These leave no trace in the history,
 * so the player counts them for each position of a conversation.
 */
export function createPlayer(script: Script): (conversation: RehearsedConversation) => Play {
  const failures = new Map<string, number>();
  return (conversation) => {
    const place = findInTime(script, conversation);
    if (place === undefined) return noTurn(script, conversation);
    if (place instanceof SlowPatternError) return { kind: "mismatch", reason: `${script.file}: ${place.message}.` };
    const key = JSON.stringify([conversation.id, conversation.turn, conversation.answers.length, place.turn.number]);
    const failed = failures.get(key) ?? 0;
    const step = findStep(place.turn.steps, place.answered, failed);
    if (step === undefined) return noStep(script, place, failed);
    if (!isWholeAnswer(step)) failures.set(key, failed + 1);
    return toPlay(script, place, step, conversation);
  };
}

/** Returns the position, or the error of a condition that takes too long. */
function findInTime(
  script: Script,
  conversation: RehearsedConversation,
): ScriptPosition | SlowPatternError | undefined {
  try {
    return findPosition(script, conversation);
  } catch (error) {
    if (error instanceof SlowPatternError) return error;
    throw error;
  }
}

function toPlay(script: Script, { turn }: ScriptPosition, step: Step, conversation: RehearsedConversation): Play {
  const found = { kind: "step", turn: turn.number, step } as const;
  if (step.act.kind !== "answer") return found;
  try {
    return { ...found, answer: toAnswer(step.act.content, conversation) };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    const reason = `${script.file}, ${turn.label}, step ${step.number}: a template ${error.message}. Correct the script.`;
    return { kind: "mismatch", turn: turn.number, step: step.number, reason };
  }
}

function noTurn({ file, turns }: Script, { user, turn, answers }: RehearsedConversation): Play {
  const subject = `step ${answers.length + 1} after user message ${turn} (${quote(user)})`;
  const labels = turns.map(({ label }) => label);
  const known =
    labels.length > 5 ? `${labels.slice(0, 5).join(", ")} and ${labels.length - 5} more` : labels.join(", ");
  const reason = `${file}: no turn matches ${subject}. The script has ${known}. Add a turn without "when" for all other requests.`;
  return { kind: "mismatch", step: answers.length + 1, reason };
}

function noStep({ file }: Script, { turn, answered }: ScriptPosition, failed: number): Play {
  const step = answered + 1;
  const again = failed > 0 ? `, attempt ${failed + 1}` : "";
  const has = turn.steps.length === 1 ? "only one step" : `only ${turn.steps.length} steps`;
  const reason = `${file}, ${turn.label}: step ${step}${again} was requested, but the turn has ${has}. Add a step, or find out why the client sent another request.`;
  return { kind: "mismatch", turn: turn.number, step, reason };
}

function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
