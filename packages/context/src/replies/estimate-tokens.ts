/**
 * Estimates the maximum number of tokens of a text for current models. Words of usual length with vowels have few tokens. Letters in random
 * order, such as hashes, have more, and other scripts have up to four for each character. `estimate-tokens.test.ts` compares the estimate
 * with o200k_base.
 */
export function estimateReplyTokens(text: string): number {
  let tokens = 0;
  for (const [part] of text.matchAll(/[A-Z]?[a-z]+|[A-Z]+|\d+| +|./gsu)) tokens += weigh(part);
  return Math.ceil(tokens);
}

function weigh(part: string): number {
  const code = part.codePointAt(0) ?? 0;
  if (code === 0x20) return part.length * 0.1;
  if (code >= 0x80) return weighOther(code);
  if (/\d/.test(part)) return part.length * 0.55;
  return /[a-z]/i.test(part) ? weighLetters(part) : 1;
}

/** Weighs a run of letters. Long runs, and those with less than one vowel in five letters, are not words. */
function weighLetters(word: string): number {
  const vowels = word.match(/[aeiouy]/gi)?.length ?? 0;
  const isWord = word.length <= 14 && vowels * 5 >= word.length - 2;
  return isWord ? Math.max(1.2, 0.5 + word.length * 0.25) : Math.max(1.2, word.length * 0.75);
}

/** The last character of each block, and the number of tokens of one character in the block. */
const blocks: readonly (readonly [number, number])[] = [
  [0x06ff, 1], // Latin with accents, Greek, Cyrillic, Hebrew, Arabic
  [0x08ff, 3],
  [0x0eff, 1.2], // scripts of India, Thai, Lao
  [0x1dff, 3],
  [0x27ff, 1.5], // punctuation, arrows, symbols
  [0x303f, 2],
  [0x30ff, 1], // Hiragana, Katakana
  [0x9fff, 2.2], // Han
  [0xd7af, 2.3], // Hangul
  [0xffff, 3],
  [0x1efff, 4],
  [0x1faff, 2.8], // emoji
];

function weighOther(code: number): number {
  return blocks.find(([last]) => code <= last)?.[1] ?? 4;
}
