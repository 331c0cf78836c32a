/** Whether two words can be forms of the same word. Pure. */

/** Whether two words, such as `order` and `orders` or `πελάτης` and `πελάτες`, have the same stem and endings of at most three letters. */
export function isInflection(a: string, b: string): boolean {
  if (/\d/.test(a) || Math.abs(a.length - b.length) > 2) return false;
  let same = 0;
  while (same < a.length && a[same] === b[same]) same += 1;
  const rest = Math.max(a.length, b.length) - same;
  return same >= 3 && rest <= 3 && rest * 2 <= same;
}

/** Returns a word and its possible forms without an English plural ending: `histories`, `historie` and `history`. */
export function stemsOf(word: string): readonly string[] {
  if (word.length < 5 || !word.endsWith("s")) return [word];
  const stems = [word, word.slice(0, -1)];
  if (word.endsWith("ies")) return [...stems, `${word.slice(0, -3)}y`];
  return word.endsWith("es") ? [...stems, word.slice(0, -2)] : stems;
}

/**
 * Whether a word abbreviates another, as `cust`, `cstmr` and `cmr` do for `customer`: by its beginning, or by some of its letters in order,
 * without vowels or with its last letter.
 */
export function isAbbreviation(short: string, long: string): boolean {
  if (short.length < 2 || short.length >= long.length || short[0] !== long[0] || /\d/.test(short)) return false;
  if (short.length === 2) return long.length <= 4 && isSubsequence(short, long) && !/[aeiouy]/.test(short.slice(1));
  if (long.startsWith(short)) return long.length - short.length >= 2;
  if (!isSubsequence(short, long)) return false;
  return !/[aeiou]/.test(short.slice(1)) || (short.at(-1) === long.at(-1) && short.length * 3 >= long.length);
}

function isSubsequence(short: string, long: string): boolean {
  let at = 0;
  for (const letter of long) if (letter === short[at]) at += 1;
  return at === short.length;
}
