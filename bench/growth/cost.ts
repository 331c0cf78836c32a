/** A cost that was measured in a separate process. */
export interface MeasuredCost {
  /** CPU time in milliseconds. */
  readonly value: number;
  readonly peakMegabytes: number;
}

/** One cost at N, 10 N and 100 N. */
export interface Growth {
  readonly name: string;
  readonly unit: string;
  readonly sizes: readonly [number, number, number];
  /** The whole cost at a size, with the peak memory of a process that does only this. */
  cost(size: number): Promise<number | MeasuredCost>;
}

/** CPU time in milliseconds. */
export async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
