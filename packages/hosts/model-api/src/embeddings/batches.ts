export interface BatchLimits {
  /** Texts in one batch. */
  readonly texts: number;
  /** Bytes of UTF-8 in one batch. A token has at least one, so this bounds tokens too. */
  readonly bytes: number;
}

/**
 * Cuts a list into runs that fit the limits, in order. A text that is too long by itself is a batch of its own: whether
 * the model takes it is the provider's to say.
 */
export function batchesOf(texts: readonly string[], limits: BatchLimits): string[][] {
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
