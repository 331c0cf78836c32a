import { normalizeText } from "@bridle/protocol";

/**
 * The tokens of a text: words in lower case, and each other visible character. `'`, `.`, `,`, `:`, `/` and `-` can be part of
 * a word or a number, as in `don't`, `3.14` and `well-known`.
 *
 * NLTK leaves tokens to its caller; its examples use `word_tokenize`. For ordinary sentences the tokens are the same, except
 * for contractions (`do`, `n't`).
 */
export function meteorTokens(text: string): string[] {
  const words = /[\p{L}\p{M}\p{N}_]+(?:['’.,:/-][\p{L}\p{M}\p{N}_]+)*|[^\s\p{L}\p{M}\p{N}_]/gu;
  return normalizeText(text, "NFC").toLowerCase().match(words) ?? [];
}
