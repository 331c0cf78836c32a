export interface BatchLimits {
  /** The maximum number of texts in one batch. */
  readonly texts: number;
  /** The maximum number of UTF-8 bytes in one batch. A token has at least one byte, so this also limits tokens. */
  readonly bytes: number;
}

/**
 * Splits a list into batches within the limits, in order. A single text that exceeds the limit is sent alone, because
 * only the provider can decide whether the model accepts it.
 */
export function splitIntoBatches(texts: readonly string[], limits: BatchLimits): string[][] {
  const batches: string[][] = [];
  let batch: string[] = [];
  let bytes = 0;
  for (const text of texts) {
    const size = Buffer.byteLength(text);
    if (batch.length === limits.texts || (batch.length > 0 && bytes + size > limits.bytes)) {
      batches.push(batch);
      batch = [];
      bytes = 0;
    }
    batch.push(text);
    bytes += size;
  }
  return batch.length > 0 ? [...batches, batch] : batches;
}
