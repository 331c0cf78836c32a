/**
 * Requests for the correction of one call. Bridle's model APIs send one for a call with invalid input, and Claude Code
 * does not. To make a script mean the same on each host, only a turn that is written for such requests answers them.
 * Without such a turn, the call stays as it is.
 */
import { correctionStart } from "@bridle/protocol";
import { normalise } from "../script/normalise.ts";
import type { ScriptTurn, When } from "../script/script.ts";
import type { RehearsedConversation } from "./conversation.ts";

export function isCorrection({ user }: Pick<RehearsedConversation, "user">): boolean {
  return user.startsWith(correctionStart);
}

/** Whether the condition is about such requests. It then matches their first words, not the call in them. */
export function meansCorrection(user: NonNullable<When["user"]>, text: string): boolean {
  return user(text) && !user(text.slice(correctionStart.length));
}

/** Leaves a call unchanged. */
export const uncorrected = normalise(
  {
    rehearsal: 1,
    turns: [{ steps: [{ say: "I cannot correct it.", usage: { input: 0, output: 0 }, forever: true }] }],
  },
  "script",
).turns[0] as ScriptTurn;
