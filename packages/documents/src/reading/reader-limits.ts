/** The maximum time and memory for reading one file. */
export interface ReaderLimits {
  readonly seconds: number;
  /** The maximum resident memory of the reader process, in bytes. */
  readonly memoryBytes: number;
}

const megabyte = 1_000_000;

/** Returns limits that grow with the size of a file, like the parsers' memory and time. */
export function readerLimitsFor(bytes: number): ReaderLimits {
  return { seconds: 30 + Math.ceil((4 * bytes) / megabyte), memoryBytes: 1_000_000_000 + 40 * bytes };
}
