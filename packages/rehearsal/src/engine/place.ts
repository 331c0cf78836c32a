import type { Script, Step, Turn, When } from "../script/script.ts";
import type { Conversation } from "./conversation.ts";
import { isTool } from "./tool-names.ts";

/** Where in the script a request stands. */
export interface Place {
  readonly turn: Turn;
  /** How many answers this turn gave before in reply to the same user message. */
  readonly answered: number;
}

/**
 * Finds the turn that answers: the first in the script whose conditions hold. Turns may take over from each other
 * between steps (`when: { tool }`), so the earlier steps are replayed to see how far this one has come.
 */
export function findPlace(script: Script, conversation: Conversation): Place | undefined {
  const turnAt = (step: number) => script.turns.find(({ when }) => holds(when, conversation, step));
  const turn = turnAt(conversation.answers.length);
  if (turn === undefined) return undefined;
  const answered = conversation.answers.filter((_, step) => turnAt(step) === turn).length;
  return { turn, answered };
}

/** `step` counts from 0. */
function holds(when: When, conversation: Conversation, step: number): boolean {
  const newest = conversation.answers[step - 1]?.results ?? [];
  const { user, system, tool } = when;
  return (
    (user === undefined || user(conversation.user)) &&
    (system === undefined || system(conversation.system)) &&
    (when.message === undefined || when.message === conversation.turn) &&
    (when.step === undefined || when.step === step + 1) &&
    (tool === undefined || newest.some((result) => isTool(tool, result.tool)))
  );
}

/**
 * The step that comes after `answered` answers and, since the last of them, `failed` attempts without one.
 * `undefined` when the turn has no more.
 */
export function findStep(steps: readonly Step[], answered: number, failed: number): Step | undefined {
  let answers = answered;
  let failures = failed;
  for (const step of steps) {
    if (leavesAnswer(step)) {
      if (answers < step.times) return step;
      answers -= step.times;
    } else if (answers === 0) {
      if (failures < step.times) return step;
      failures -= step.times;
    }
  }
  return undefined;
}

/** False for a step after which the history of the conversation is as it was before. */
export function leavesAnswer({ act }: Step): boolean {
  return act.kind === "answer" && act.ending === "whole";
}
