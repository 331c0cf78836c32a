/**
 * The words of a text, as they are searched for: of any script, without marks, case and punctuation. A name such as
 * `order_id` or `orderId` is also found by its parts. Pure.
 */
export function termsOf(text: string): readonly string[] {
  return Array.from(words.segment(text.normalize("NFKC")))
    .filter(({ isWordLike }) => isWordLike)
    .flatMap(({ segment }) => [segment, ...partsOf(segment)])
    .map(fold);
}

const words = new Intl.Segmenter("und", { granularity: "word" });

/** None for a word that is no name of several. */
function partsOf(word: string): readonly string[] {
  const parts = word.split(/_+|(?<=\p{Ll})(?=\p{Lu})/u).filter((part) => part !== "");
  return parts.length > 1 ? parts : [];
}

/** Marks go where they are accents; in other scripts they make another letter. */
function fold(word: string): string {
  return word
    .normalize("NFD")
    .replaceAll(/(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu, "")
    .normalize("NFC")
    .toLowerCase()
    .replaceAll("ς", "σ");
}
