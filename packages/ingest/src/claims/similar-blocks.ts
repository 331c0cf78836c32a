/** Returns the similarity of two texts: the share of common words, from 0 to 1. */
export function similarityOf(a: string, b: string): number {
  const [ours, theirs] = [wordsOf(a), wordsOf(b)];
  const shared = Array.from(ours).filter((word) => theirs.has(word)).length;
  return ours.size + theirs.size === 0 ? 0 : (2 * shared) / (ours.size + theirs.size);
}

function wordsOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const ideographs = words.flatMap((word) =>
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(word) ? [...word] : [word],
  );
  return new Set(ideographs);
}
