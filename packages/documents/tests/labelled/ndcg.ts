/**
 * Computes the normalised discounted cumulative gain of the first k results (Järvelin and Kekäläinen, 2002): the gains 2^grade - 1, each
 * divided by log2 of its rank plus one, relative to the best possible order. Pure.
 */
export function ndcg(found: readonly string[], grades: Readonly<Record<string, number>>, k: number): number {
  const best = Object.values(grades).toSorted((a, b) => b - a);
  return gainOf(found.slice(0, k).map((id) => grades[id] ?? 0)) / gainOf(best.slice(0, k));
}

function gainOf(grades: readonly number[]): number {
  return grades.reduce((sum, grade, place) => sum + (2 ** grade - 1) / Math.log2(place + 2), 0);
}
