const segmenter = new Intl.Segmenter("und", { granularity: "sentence" }); // the rules of Unicode for all languages

/** The sentences of a text, by the rules of Unicode (UAX 29); lines without a letter or digit do not count. */
export function sentencesOf(text: string): string[] {
  return [...segmenter.segment(text)]
    .map(({ segment }) => segment.replace(/\s+/g, " ").trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}
