/** Splits an identifier into lower-case words: at capitals, digits and anything that is neither letter nor digit. */
export function splitName(name: string): readonly string[] {
  return name
    .normalize("NFKC")
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .flatMap((word) => word.split(/(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u))
    .filter(Boolean);
}

/**
 * Returns the probability that two words mean the same, from 0 to 1: equal, plural, prefix, abbreviation, end of a compound, or similar
 * spelling.
 */
export function compareWords(first: string, second: string, trigramsOf = trigrams): number {
  if (first === second) return 1;
  const [short, long] = first.length <= second.length ? [first, second] : [second, first];
  if (short.length < 2) return 0;
  const shared = sharedStart(short, long);
  if (shared === short.length && short.length >= 3) return long.length - short.length <= 2 ? 0.95 : 0.8;
  if (shared >= 4 && shared >= 0.7 * long.length) return 0.85;
  if (shared >= 2 && short.length >= 3 && abbreviates(short, long)) return 0.65;
  if (short.length >= 4 && long.endsWith(short)) return 0.7;
  const alike = shareOf(trigramsOf(short), trigramsOf(long));
  return alike >= 0.55 ? alike * 0.9 : 0;
}

/** Returns the first word of most lists, such as the prefix of a table's columns, if at least `share` of the lists begin with it. */
export function sharedFirstWord(lists: readonly (readonly string[])[], share: number): string | undefined {
  const counts = new Map<string, number>();
  for (const [word] of lists.filter((list) => list.length > 1)) {
    if (word !== undefined) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].find(([, count]) => count >= Math.max(3, share * lists.length))?.[0];
}

function sharedStart(short: string, long: string): number {
  let length = 0;
  while (length < short.length && short[length] === long[length]) length++;
  return length;
}

/** Whether the letters of `short` occur in `long` in the same order. */
function abbreviates(short: string, long: string): boolean {
  let at = 0;
  for (const letter of long) if (letter === short[at]) at++;
  return at === short.length;
}

/** Returns twice the number of shared groups, divided by the number of all groups. */
function shareOf(some: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let shared = 0;
  for (const part of some) if (others.has(part)) shared++;
  return (2 * shared) / (some.size + others.size);
}

/** Returns the three-letter groups of a word with a space before and after it. */
export function trigrams(word: string): ReadonlySet<string> {
  const padded = ` ${word} `;
  return new Set(Array.from({ length: Math.max(1, padded.length - 2) }, (_, at) => padded.slice(at, at + 3)));
}
