/**
 * Requests to correct one call. Bridle's model APIs send them for a call with invalid input, and Claude Code does not. So that a script has
 * the same meaning on each host, only a turn that is written for correction requests answers them. Without such a turn, the call stays
 * unchanged.
 */
import { correctionStart } from "@bridle/protocol";
import { normalise } from "../script/normalise.ts";
import type { ScriptTurn, When } from "../script/script.ts";
import type { RehearsedConversation } from "./conversation.ts";

export function isCorrection({ user }: Pick<RehearsedConversation, "user">): boolean {
  return user.startsWith(correctionStart);
}

/** Whether the condition is for correction requests. It then matches their first words, not the call that they contain. */
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
