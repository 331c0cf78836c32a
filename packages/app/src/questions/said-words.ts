/** Checks which words an answer contains. */

/** Phrases that admit not knowing the answer. */
const unknownPhrases = [
  "do not know",
  "don't know",
  "does not know",
  "cannot answer",
  "can't answer",
  "cannot be answered",
  "can't be answered",
  "cannot tell",
  "can't tell",
  "cannot say",
  "cannot be determined",
  "can't be determined",
  "cannot determine",
  "cannot be computed",
  "cannot be calculated",
  "unable to answer",
  "not possible to answer",
];

/** Finds the first of the words that the answer contains, as a whole word and in any case. */
export function findWords(answer: string, words: readonly string[]): string | undefined {
  const text = ` ${normalise(answer)} `;
  return words.find((each) => text.includes(` ${normalise(each)} `));
}

/** Whether the answer admits that it does not know. */
export function admitsIgnorance(answer: string, words: readonly string[] = unknownPhrases): boolean {
  return findWords(answer, words) !== undefined;
}

/** Reduces a string to its letters and numbers, with one space between words. */
function normalise(text: string): string {
  const plain = text.normalize("NFKC").toLowerCase().replaceAll(/[’‘]/g, "'");
  return plain.replaceAll(/[^\p{L}\p{M}\p{N}']+/gu, " ").trim();
}
