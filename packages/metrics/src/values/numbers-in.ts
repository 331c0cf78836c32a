/**
 * Scripts without spaces between words and numbers. Their letters do not make a number part of a name, as in `共5个`. Script extensions
 * include characters that several scripts share, such as `ー`.
 */
export const unspaced = ["Han", "Hira", "Kana", "Hang", "Thai", "Laoo", "Khmr", "Mymr"]
  .map((script) => String.raw`\p{scx=${script}}`)
  .join("");
const letter = String.raw`[\p{L}--[${unspaced}]]`;
const inWord = String.raw`[[\p{L}\p{M}\p{N}_]--[${unspaced}]]`;

/** Words with digits are names: A-1001, GPT-4.1, v2, x86. Groups of thousands belong to the word, as in USD1,200. */
const word = String.raw`${letter}${inWord}*(?:[\-.]\d${inWord}*|,\d{3}(?!\d))*`;

/** Other combinations of digits: 10:30, 1/2, 24/7, 2026-11-22, 192.168.0.1; but not groups of thousands. */
const composed = String.raw`\d+(?:[:\/]\d+)+|(?!\d{1,3}(?:\.\d{3})+(?!\.?\d))\d+(?<joint>[\-.])\d+(?:\k<joint>\d+)+`;

const sign = String.raw`(?:(?<!${letter}|[\p{N}\)\]])(?<sign>[\-+−–]))?\p{Sc}?`;

/**
 * Numbers with groups of thousands, then numbers with at most a point or a comma. The first form that matches counts. The number of groups
 * is limited, because the search would take quadratic time on long runs of digits that only look like groups.
 */
const forms = [
  String.raw`(?<english>[1-9]\d{0,2}(?:,\d{3}){1,20}(?!,?\d)(?:\.\d+)?)`, // 1,234.5
  String.raw`(?<indian>[1-9]\d?(?:,\d{2}){1,20},\d{3}(?!,?\d)(?:\.\d+)?)`, // 12,34,567.8
  String.raw`(?<continental>[1-9]\d{0,2}(?:(?:\.\d{3}){1,20},\d+|(?:\.\d{3}){2,20}(?!\.?\d)))`, // 1.234,5 and 1.234.567
  String.raw`(?<spaced>[1-9]\d{0,2}(?:[\u00a0\u2009\u202f'’]\d{3}){1,20}(?!\d)(?:[.,]\d+)?)`, // 1 234,5 with these spaces, 1'234.5
  String.raw`(?<plain>\d+(?:\.\d+|(?<!\d,\d+),\d+(?!\d|,\d))?|\.\d+)`, // 1234.5 and 1234,5
];

const number = String.raw`${sign}(?:${forms.join("|")})(?<exponent>e[\-+]?\d+)?`;

/** Letters that can multiply a number by a thousand or more. A number with these letters is skipped, because its value is unclear. */
const multiplied = `(?<multiplier>(?:bn|[kmb])(?!${letter}))?`;

const pattern = new RegExp(`${word}|${composed}|${number}${multiplied}`, "giv");

/**
 * Lists the numbers in a text, in order: `206,588`, `1.5e3`, `-3`, `$1,200.50`, `12 %` (12), `5km` (5), `1.234,56`.
 * `1,234` and `1.234` are read as in English, 1234 and 1.234. A comma that separates no thousands, as in `1,5`, is a decimal
 * comma. Words with digits (`A-1001`), dates, times, versions, fractions and numbers before a letter that can mean thousands
 * or more (`10k`, `3M`) are skipped.
 */
export function numbersIn(text: string): number[] {
  return readNumbers(text).map(({ value }) => value);
}

/** Lists the same numbers as `numbersIn`, each with the information whether a percent sign follows. */
export function readNumbers(text: string): { readonly value: number; readonly isPercent: boolean }[] {
  return [...text.matchAll(pattern)].flatMap(({ 0: found, index, groups = {} }) => {
    const digits = digitsOf(groups);
    if (digits === undefined || groups.multiplier !== undefined) return [];
    const value = Number(`${digits}${groups.exponent ?? ""}`);
    if (!Number.isFinite(value)) return [];
    const end = index + found.length;
    const isPercent = /^\s?[%％]/.test(text.slice(end, end + 2));
    return [{ value: groups.sign === undefined || groups.sign === "+" ? value : -value, isPercent }];
  });
}

/** Returns the digits in JavaScript's notation; `undefined` without a number. */
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
