/** What reading one file may take. */
export interface ReaderLimits {
  readonly seconds: number;
  /** The resident memory of the process that reads, in bytes. */
  readonly memoryBytes: number;
}

const megabyte = 1_000_000;

/** Grows with the size of a file, since the parsers of ordinary documents do. */
export function readerLimitsFor(bytes: number): ReaderLimits {
  return { seconds: 30 + Math.ceil((4 * bytes) / megabyte), memoryBytes: 1_000_000_000 + 40 * bytes };
}
