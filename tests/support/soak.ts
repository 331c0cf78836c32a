/** Whether `npm run soak` runs the test. Tests then repeat everything more often. */
export const isSoak = process.env.SOAK_FACTOR !== undefined;

/**
 * Returns all items in `npm run soak`. In `npm test`, returns `count` of them: the first, the last, and others between them at equal
 * distances.
 */
export function sampleOf<T>(all: readonly T[], count: number): readonly T[] {
  if (isSoak || all.length <= count) return all;
  const positions = Array.from({ length: count }, (_, at) => Math.round((at * (all.length - 1)) / (count - 1)));
  return all.filter((_, at) => positions.includes(at));
}
