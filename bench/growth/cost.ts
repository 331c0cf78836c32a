/** A cost that was measured in a separate process. */
export interface MeasuredCost {
  /** CPU time in milliseconds. */
  readonly value: number;
  readonly peakMegabytes: number;
}

/** A cost that is measured at N, 10 N and 100 N. */
export interface Growth {
  readonly name: string;
  readonly unit: string;
  readonly sizes: readonly [number, number, number];
  /** Measures the whole cost at a size. A separate process, which does only this, also measures its peak memory. */
  cost(size: number): Promise<number | MeasuredCost>;
}

/** Returns the CPU time of the work in milliseconds. */
export async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
