import { closeSync, openSync, readSync } from "node:fs";

/** The size in bytes of each of the three headers at the beginning of the file. */
const headerBytes = 4096;
const checksumBytes = 8;

/** Reads the checksums at the beginning of the blocks of a database file. */
export class BlockChecksums {
  readonly #file: number;
  readonly #blockSize: number;
  readonly #bytes = Buffer.alloc(checksumBytes);

  constructor(path: string, blockSize: number) {
    this.#file = openSync(path, "r");
    this.#blockSize = blockSize;
  }

  /** Returns the checksums of the blocks with these numbers, in ascending order. */
  read(blocks: readonly number[]): string {
    return blocks
      .toSorted((a, b) => a - b)
      .map((block) => this.#readOne(block))
      .join(",");
  }

  close(): void {
    closeSync(this.#file);
  }

  #readOne(block: number): string {
    readSync(this.#file, this.#bytes, 0, checksumBytes, 3 * headerBytes + block * this.#blockSize);
    return this.#bytes.toString("hex");
  }
}
