import { normalizeText } from "@bridle/protocol";

/**
 * Splits a text into tokens like rouge_score: runs of letters and digits, in lower case. rouge_score drops everything but ASCII. Here,
 * letters and digits of every script count, so that a Greek text has words. For ASCII text, the tokens are those of rouge_score.
 */
export function rougeTokens(text: string): string[] {
  return (
    normalizeText(text, "NFC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}
