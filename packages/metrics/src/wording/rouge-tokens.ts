import { normalizeText } from "@bridle/protocol";

/**
 * The tokens of rouge_score: runs of letters and digits, in lower case. rouge_score drops everything but ASCII. Here letters
 * and digits of every script count, so that a text in Greek has words. For ASCII text the tokens are the same.
 */
export function rougeTokens(text: string): string[] {
  return (
    normalizeText(text, "NFC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}
