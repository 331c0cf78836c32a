/** Lists all n-grams of a list of tokens, each as one string. Tokens contain no white space. */
export function gramsOf(tokens: readonly string[], n: number): string[] {
  return tokens
    .slice(0, Math.max(0, tokens.length - n + 1))
    .map((_, start) => tokens.slice(start, start + n).join(" "));
}

/** Counts the items that two lists have in common. A repeated item counts as often as in the list that contains it less often. */
export function commonCount(first: readonly string[], second: readonly string[]): number {
  const remaining = new Map<string, number>();
  for (const item of first) remaining.set(item, (remaining.get(item) ?? 0) + 1);
  return second.filter((item) => {
    const count = remaining.get(item) ?? 0;
    remaining.set(item, count - 1);
    return count > 0;
  }).length;
}

/**
 * Counts a list's items that are in one of several other lists. A repeated item counts at most as often as in the list that contains it
 * most often.
 */
export function commonWithAny(items: readonly string[], others: readonly (readonly string[])[]): number {
  const counts = others.map(countItems);
  const counted = [...countItems(items)].map(([item, count]) =>
    Math.min(count, Math.max(0, ...counts.map((other) => other.get(item) ?? 0))),
  );
  return counted.reduce((sum, count) => sum + count, 0);
}

function countItems(items: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

/** Returns the harmonic mean of precision and recall, from counts: 2c / (a + r). 0 without common items. */
export function fMeasure(common: number, inAnswer: number, inReference: number): number {
  return common === 0 ? 0 : (2 * common) / (inAnswer + inReference);
}
