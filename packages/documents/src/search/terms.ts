/**
 * The words of a text, as they are searched for: of any script, without accents and case. They are of letters and
 * digits, with `·` for what stands between those, as in `12·50`. A name such as `order_id`, `orderId` or `order.id` is
 * also found by its parts. Pure.
 */
export function termsOf(text: string): readonly string[] {
  return Array.from(words.segment(text.normalize("NFKC")))
    .filter(({ isWordLike }) => isWordLike)
    .flatMap(({ segment }) => [segment, ...partsOf(segment)])
    .map(fold)
    .filter((term) => term !== "");
}

/** Longer ones, which are no words, are found by their beginning. */
const longest = 200;

const words = new Intl.Segmenter("und", { granularity: "word" });

/** None for a word that is no name of several. */
function partsOf(word: string): readonly string[] {
  const parts = word.split(/[^\p{L}\p{M}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u).filter((part) => part !== "");
  return parts.length > 1 ? parts : [];
}

/** Marks go where they are accents; in other scripts they make another letter. */
function fold(word: string): string {
  return word
    .normalize("NFD")
    .replaceAll(/(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu, "")
    .normalize("NFC")
    .toLowerCase()
    .replaceAll("ς", "σ")
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, "·")
    .slice(0, longest)
    .toWellFormed();
}
