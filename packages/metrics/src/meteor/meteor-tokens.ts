/**
 * The tokens of a text: words in lower case, and each other visible character. `'`, `.`, `,`, `:`, `/` and `-` stay within
 * a word or a number, as in `don't`, `3.14` and `well-known`.
 *
 * NLTK leaves this to its caller and shows it with its `word_tokenize`, which splits ordinary sentences in the same way but
 * for contractions (`do`, `n't`); texts without punctuation have the tokens that white space divides.
 */
export function meteorTokens(text: string): string[] {
  const words = /[\p{L}\p{M}\p{N}_]+(?:['’.,:/-][\p{L}\p{M}\p{N}_]+)*|[^\s\p{L}\p{M}\p{N}_]/gu;
  return text.normalize("NFC").toLowerCase().match(words) ?? [];
}
