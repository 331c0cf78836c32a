/** Runs of `n` tokens, each as one text. Tokens hold no white space. */
export function gramsOf(tokens: readonly string[], n: number): string[] {
  return tokens
    .slice(0, Math.max(0, tokens.length - n + 1))
    .map((_, start) => tokens.slice(start, start + n).join(" "));
}

/** How many items two lists have in common; what stands twice in both counts twice, and what stands once in one, once. */
export function commonCount(first: readonly string[], second: readonly string[]): number {
  const left = new Map<string, number>();
  for (const item of first) left.set(item, (left.get(item) ?? 0) + 1);
  return second.filter((item) => {
    const count = left.get(item) ?? 0;
    left.set(item, count - 1);
    return count > 0;
  }).length;
}

/** The harmonic mean of precision and recall, from counts: 2c / (a + r). 0 where nothing is common. */
export function fMeasure(common: number, inAnswer: number, inReference: number): number {
  return common === 0 ? 0 : (2 * common) / (inAnswer + inReference);
}
