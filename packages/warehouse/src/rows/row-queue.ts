/** The maximum number of rows, and of their bytes, that wait in memory before the connection is paused. */
const maxWaiting = { rows: 1_000, bytes: 8_000_000 };
/** The number of rows in one batch. */
const batchSize = 500;

/** The methods of a connection that the queue needs. */
export interface Pausable {
  pause(): void;
  resume(): void;
}

/** Holds rows between the connection that sends them and the consumer that takes them in batches. */
export class RowQueue {
  readonly #source: Pausable;
  #rows: unknown[][] = [];
  #ended = false;
  #failure: unknown;
  /** The approximate size of the waiting rows in bytes. */
  #bytes = 0;
  #isPaused = false;
  #wake: (() => void) | undefined;

  constructor(source: Pausable) {
    this.#source = source;
  }

  get hasEnded(): boolean {
    return this.#ended;
  }

  push(row: unknown[]): void {
    if (this.#ended) return;
    this.#rows.push(row);
    this.#bytes += lengthOf(row);
    const isFull = this.#rows.length >= maxWaiting.rows || this.#bytes >= maxWaiting.bytes;
    if (isFull && !this.#isPaused) this.#pause();
    this.#wake?.();
  }

  end(failure?: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#failure = failure;
    this.#resume(); // while rows wait, the connection may be used for another statement
    this.#wake?.();
  }

  /** Drops waiting rows and all further rows, so that the connection reads to the end of the statement. */
  discard(failure?: unknown): void {
    this.#rows = [];
    this.#bytes = 0;
    this.end(failure);
  }

  /** Returns the next rows; empty at the end. Throws the error that ended the statement, after the rows before it. */
  async take(): Promise<unknown[][]> {
    while (this.#rows.length === 0 && !this.#ended) await this.#wait();
    const batch = this.#rows.splice(0, batchSize);
    for (const row of batch) this.#bytes -= lengthOf(row);
    if (this.#rows.length < batchSize && this.#bytes < maxWaiting.bytes) this.#resume();
    if (batch.length === 0 && this.#failure !== undefined) throw this.#failure;
    return batch;
  }

  #wait(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    return promise;
  }

  #pause(): void {
    this.#isPaused = true;
    this.#source.pause();
  }

  #resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#source.resume();
  }
}

/** Returns the length of the strings and bytes in a row. Only these values may be long. */
function lengthOf(row: readonly unknown[]): number {
  let length = 0;
  for (const value of row) if (typeof value === "string" || value instanceof Uint8Array) length += value.length;
  return length;
}
