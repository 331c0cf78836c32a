import type { Script, ScriptTurn, Step, When } from "../script/script.ts";
import type { RehearsedConversation } from "./conversation.ts";
import { isCorrection, meansCorrection, uncorrected } from "./corrections.ts";
import { isTool } from "./tool-names.ts";

/** The position of a request in the script. */
export interface ScriptPosition {
  readonly turn: ScriptTurn;
  /** The number of answers that this turn has given to the same user message. */
  readonly answered: number;
}

/**
 * Finds the first turn in the script whose conditions are all met. Turns may alternate between steps (`when: { tool }`), so the function
 * replays the earlier steps to count the answers of this turn.
 */
export function findPosition(script: Script, conversation: RehearsedConversation): ScriptPosition | undefined {
  const found = (step: number) => script.turns.find(({ when }) => holds(when, conversation, step));
  const turnAt = isCorrection(conversation) ? (step: number) => found(step) ?? uncorrected : found;
  const turn = turnAt(conversation.answers.length);
  if (turn === undefined) return undefined;
  const answered = conversation.answers.filter((_, step) => turnAt(step) === turn).length;
  return { turn, answered };
}

/** Whether the conditions are met in a step. `step` counts from 0. */
function holds(when: When, conversation: RehearsedConversation, step: number): boolean {
  const newest = conversation.answers[step - 1]?.results ?? [];
  const { user, system, tool } = when;
  return (
    holdsOfUser(user, conversation) &&
    (system === undefined || system(conversation.system)) &&
    (when.message === undefined || when.message === conversation.turn) &&
    (when.step === undefined || when.step === step + 1) &&
    (tool === undefined || newest.some((result) => isTool(tool, result.tool)))
  );
}

function holdsOfUser(user: When["user"], conversation: RehearsedConversation): boolean {
  if (isCorrection(conversation)) return user !== undefined && meansCorrection(user, conversation.user);
  return user === undefined || user(conversation.user);
}

/**
 * Returns the step after `answered` answers and, since the last answer, `failed` attempts without an answer. Returns `undefined` if the
 * turn has no more steps.
 */
export function findStep(steps: readonly Step[], answered: number, failed: number): Step | undefined {
  let answers = answered;
  let failures = failed;
  for (const step of steps) {
    if (isWholeAnswer(step)) {
      if (answers < step.times) return step;
      answers -= step.times;
    } else if (answers === 0) {
      if (failures < step.times) return step;
      failures -= step.times;
    }
  }
  return undefined;
}

/** Whether the step adds an answer to the history of the conversation. */
export function isWholeAnswer({ act }: Step): boolean {
  return act.kind === "answer" && act.ending === "whole";
}
