/**
 * Returns the candidates that a misspelled `name` may mean, nearest first, at most `limit`. A candidate counts if its edit distance is at
 * most a third of its length (at least two), or if it begins with `name`.
 */
export function nearest(name: string, candidates: Iterable<string>, limit = 3): string[] {
  const wanted = name.toLowerCase();
  return [...new Set(candidates)]
    .filter((candidate) => hasSimilarLength(wanted, candidate))
    .map((candidate) => ({ candidate, edits: editDistance(wanted, candidate.toLowerCase()) }))
    .filter(({ candidate, edits }) => edits <= maxEdits(candidate) || isPrefix(wanted, candidate))
    .sort((a, b) => a.edits - b.edits)
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}

/** Returns ` Did you mean "x"?` with a leading space, or an empty text if no candidate is near. */
export function suggestion(name: string, candidates: Iterable<string>): string {
  const [best] = nearest(name, candidates, 1);
  return best === undefined ? "" : ` Did you mean "${best}"?`;
}

function maxEdits(candidate: string): number {
  return Math.max(2, candidate.length / 3);
}

/** Whether a comparison is useful: names with very different lengths would take long to compare and have too many edits. */
function hasSimilarLength(wanted: string, candidate: string): boolean {
  return Math.abs(wanted.length - candidate.toLowerCase().length) <= maxEdits(candidate) || isPrefix(wanted, candidate);
}

function isPrefix(wanted: string, candidate: string): boolean {
  return wanted.length > 1 && candidate.toLowerCase().startsWith(wanted);
}

/** Computes the Levenshtein distance, one row of the table at a time. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, substitution));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
