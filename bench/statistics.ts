/** The measured values of one row, in milliseconds unless the table has another unit. */
export interface Series {
  readonly name: string;
  readonly values: readonly number[];
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/**
 * Measures several functions in alternation, so that other load on the machine affects all of them equally. The first
 * round fills caches and is not counted.
 */
export async function measureInTurns(
  rounds: number,
  contestants: Readonly<Record<string, () => Promise<number>>>,
): Promise<Series[]> {
  const series = Object.entries(contestants).map(([name, measure]) => ({ name, measure, values: [] as number[] }));
  for (let round = 0; round <= rounds; round += 1) {
    for (const { measure, values } of series) {
      const value = await measure();
      if (round > 0) values.push(value);
    }
  }
  return series;
}
