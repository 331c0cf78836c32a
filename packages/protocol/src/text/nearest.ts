/**
 * Returns the candidates that a misspelled `name` may mean, nearest first, at most `limit`. A candidate counts if its edit distance is at
 * most a third of its length (at least two), or if it begins with `name`.
 */
export function nearest(name: string, candidates: Iterable<string>, limit = 3): string[] {
  const wanted = name.toLowerCase();
  return [...new Set(candidates)]
    .filter((candidate) => hasSimilarLength(wanted, candidate))
    .map((candidate) => ({ candidate, edits: editsOf(wanted, candidate) }))
    .filter(({ edits }) => edits < Number.POSITIVE_INFINITY)
    .sort((a, b) => a.edits - b.edits)
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}

/** Returns ` Did you mean "x"?` with a leading space, or an empty string if no candidate is near. */
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

/** Returns the number of edits; infinity if it is too large for the candidate to count. */
function editsOf(wanted: string, candidate: string): number {
  const other = candidate.toLowerCase();
  return editDistance(wanted, other, isPrefix(wanted, candidate) ? other.length : maxEdits(candidate));
}

/** Computes the Levenshtein distance, one row of the table at a time. Infinite if it is above `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  let row = Uint32Array.from({ length: b.length + 1 }, (_, column) => column);
  let next = new Uint32Array(b.length + 1);
  for (let i = 1; i <= a.length; i++) {
    const letter = a.charCodeAt(i - 1);
    let least = i;
    let left = i;
    next[0] = i;
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (letter === b.charCodeAt(j - 1) ? 0 : 1);
      left = Math.min((row[j] ?? 0) + 1, left + 1, substitution);
      next[j] = left;
      least = Math.min(least, left);
    }
    if (least > limit) return Number.POSITIVE_INFINITY; // no later row has a smaller number
    [row, next] = [next, row];
  }
  const edits = row[b.length] ?? 0;
  return edits > limit ? Number.POSITIVE_INFINITY : edits;
}
