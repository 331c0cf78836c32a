/**
 * Scripts that put no space between a word and a number: their letters make no name of it, as in `共5个`. By extensions, so
 * that signs which several scripts share, such as `ー`, are among them.
 */
const unspaced = ["Han", "Hira", "Kana", "Hang", "Thai", "Laoo", "Khmr", "Mymr"]
  .map((script) => String.raw`\p{scx=${script}}`)
  .join("");
const letter = String.raw`[\p{L}--[${unspaced}]]`;
const inWord = String.raw`[[\p{L}\p{M}\p{N}_]--[${unspaced}]]`;

/** Words with digits are names: A-1001, GPT-4.1, v2, x86. Thousands are part of one, as in USD1,200, and not read alone. */
const word = String.raw`${letter}${inWord}*(?:[\-.]\d${inWord}*|,\d{3}(?!\d))*`;

/** Digits that are put together otherwise: 10:30, 1/2, 24/7, 2026-11-22, 192.168.0.1; groups of thousands are none of it. */
const composed = String.raw`\d+(?:[:\/]\d+)+|(?!\d{1,3}(?:\.\d{3})+(?!\.?\d))\d+(?<joint>[\-.])\d+(?:\k<joint>\d+)+`;

const sign = String.raw`(?:(?<!${letter}|[\p{N}\)\]])(?<sign>[\-+−–]))?\p{Sc}?`;

/**
 * Thousands in groups, then what is left of a point or a comma, alone. The first that fits is how a number is read. Without
 * a most of groups, a long row of what only looks like some would be gone through from each of its places.
 */
const forms = [
  String.raw`(?<english>[1-9]\d{0,2}(?:,\d{3}){1,20}(?!,?\d)(?:\.\d+)?)`, // 1,234.5
  String.raw`(?<indian>[1-9]\d?(?:,\d{2}){1,20},\d{3}(?!,?\d)(?:\.\d+)?)`, // 12,34,567.8
  String.raw`(?<continental>[1-9]\d{0,2}(?:(?:\.\d{3}){1,20},\d+|(?:\.\d{3}){2,20}(?!\.?\d)))`, // 1.234,5 and 1.234.567
  String.raw`(?<spaced>[1-9]\d{0,2}(?:[\u00a0\u2009\u202f'’]\d{3}){1,20}(?!\d)(?:[.,]\d+)?)`, // 1 234,5 with such spaces, 1'234.5
  String.raw`(?<plain>\d+(?:\.\d+|(?<!\d,\d+),\d+(?!\d|,\d))?|\.\d+)`, // 1234.5 and 1234,5
];

const number = String.raw`${sign}(?:${forms.join("|")})(?<exponent>e[\-+]?\d+)?`;

/** Letters that may mean thousands and more: what they make of the number is not guessed. */
const multiplied = `(?<multiplier>(?:bn|[kmb])(?!${letter}))?`;

const pattern = new RegExp(`${word}|${composed}|${number}${multiplied}`, "giv");

/**
 * The numbers that stand in a text, in order: `206,588`, `1.5e3`, `-3`, `$1,200.50`, `12 %` (12), `5km` (5), `1.234,56`.
 * `1,234` and `1.234` are read as in English, 1234 and 1.234; a comma that separates no thousands, as in `1,5`, is a
 * decimal one. None are read in words with digits (`A-1001`), dates, times, versions and fractions, nor where a letter
 * (k, m, b, bn) may mean thousands or more (`10k`, `3M`).
 */
export function numbersIn(text: string): number[] {
  return [...text.matchAll(pattern)].flatMap(({ groups = {} }) => {
    const digits = digitsOf(groups);
    if (digits === undefined || groups.multiplier !== undefined) return [];
    const value = Number(`${digits}${groups.exponent ?? ""}`);
    if (!Number.isFinite(value)) return [];
    return [groups.sign === undefined || groups.sign === "+" ? value : -value];
  });
}

/** As JavaScript reads it; `undefined` where it is no number. */
function digitsOf({
  english,
  indian,
  continental,
  spaced,
  plain,
}: Partial<Record<string, string>>): string | undefined {
  const commas = english ?? indian;
  if (commas !== undefined) return commas.replaceAll(",", "");
  if (continental !== undefined) return continental.replaceAll(".", "").replace(",", ".");
  return (spaced?.replaceAll(/[^\d.,]/g, "") ?? plain)?.replace(",", ".");
}
