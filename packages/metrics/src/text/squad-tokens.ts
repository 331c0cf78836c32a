const punctuation = /[!-/:-@[-`{-~]/g; // that of ASCII, as Python's string.punctuation

/** With letters of every script around it, an article is part of a word: the `a` of `día` is none. */
const article = /(?<![\p{L}\p{M}\p{N}])(?:a|an|the)(?![\p{L}\p{M}\p{N}])/gu;

/**
 * A text as the official evaluation script of SQuAD compares it: in lower case, without punctuation of ASCII, without the
 * articles a, an and the, cut at white space. Before that, letters with accents are brought to one form (NFC).
 */
export function squadTokens(text: string): string[] {
  const bare = text.normalize("NFC").toLowerCase().replaceAll(punctuation, "").replaceAll(article, " ");
  return bare.split(/\s+/).filter((token) => token !== "");
}
