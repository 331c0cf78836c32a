/** Splits bytes that arrive in pieces into lines, and calls `onLine` with each non-empty line. */
export class LineReader {
  readonly #onLine: (line: string) => void;
  readonly #maxBytes: number;
  #pieces: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number, onLine: (line: string) => void) {
    this.#maxBytes = maxBytes;
    this.#onLine = onLine;
  }

  /** Throws RangeError for a line of more than `maxBytes`. */
  add(bytes: Buffer): void {
    let start = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
      this.#keep(bytes.subarray(start, end));
      this.end();
      start = end + 1;
    }
    this.#keep(bytes.subarray(start));
  }

  /** Processes the last line. */
  end(): void {
    if (this.#bytes === 0) return;
    const line = Buffer.concat(this.#pieces).toString("utf8");
    this.#pieces = [];
    this.#bytes = 0;
    this.#onLine(line);
  }

  #keep(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#pieces.push(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes > this.#maxBytes) throw new RangeError(`a line has more than ${this.#maxBytes} bytes`);
  }
}
