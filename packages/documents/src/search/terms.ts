import { normalizeText } from "@bridle/protocol";

/**
 * Returns the terms of a text, for the index and for queries: words of any script in lower case and without accents. Terms consist of
 * letters and digits, with `·` for other characters between these, as in `12·50`. A name such as `order_id`, `orderId` or `order.id` is
 * also found by its parts. Pure.
 */
export function termsOf(text: string): readonly string[] {
  return Array.from(words.segment(normalizeText(text, "NFKC")))
    .filter(({ isWordLike }) => isWordLike)
    .flatMap(({ segment }) => [segment, ...partsOf(segment)])
    .map(fold)
    .filter((term) => term !== "");
}

/** The maximum length of a term. Longer terms are not words, and are cut. */
const maxTermChars = 200;

const words = new Intl.Segmenter("und", { granularity: "word" });

/** Returns the parts of a compound name; empty for other words. */
function partsOf(word: string): readonly string[] {
  const parts = word.split(/[^\p{L}\p{M}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u).filter((part) => part !== "");
  return parts.length > 1 ? parts : [];
}

/** Removes accents. In other scripts, marks belong to the letter and are kept. */
function fold(word: string): string {
  const bare = normalizeText(word, "NFD").replaceAll(
    /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu,
    "",
  );
  return normalizeText(bare, "NFC")
    .toLowerCase()
    .replaceAll("ς", "σ")
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, "·")
    .slice(0, maxTermChars)
    .toWellFormed();
}
