import { blockSize, maxFiles, paddingOf, readHeader, requireEmpty } from "./tar-header.ts";

/** Receives the files of an archive, one after the other. */
export interface TarListener {
  begin(path: string): void;
  /** Receives a piece of the content. */
  add(content: Buffer): void;
  end(): void;
}

/**
 * Unpacks an archive that arrives in pieces, and keeps only the names of its files. Throws RangeError if `packTar` cannot have made the
 * archive: if it is incomplete or damaged, or contains entries other than plain files, a duplicate name, a name that leads out of the
 * folder, or bytes outside of its files.
 */
export class TarReader {
  readonly #listener: TarListener;
  readonly #names = new Set<string>();
  readonly #header = Buffer.alloc(blockSize);
  #state: "header" | "content" | "padding" | "end" = "header";
  /** The bytes of the header or of the end that have arrived. */
  #arrived = 0;
  /** The number of bytes of the content or of the padding that have not arrived yet. */
  #missing = 0;
  #padding = 0;

  constructor(listener: TarListener) {
    this.#listener = listener;
  }

  add(bytes: Uint8Array): void {
    const piece = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0; at < piece.length; ) at += this.#take(piece.subarray(at));
  }

  /** Throws RangeError if the archive is not complete. */
  finish(): void {
    if (this.#state !== "end" || this.#arrived < 2 * blockSize) throw new RangeError("the archive is cut off");
  }

  /** Returns the number of bytes that were used. */
  #take(bytes: Buffer): number {
    switch (this.#state) {
      case "header":
        return this.#takeHeader(bytes);
      case "content":
        return this.#takeContent(bytes.subarray(0, this.#missing));
      case "padding":
        return this.#takePadding(bytes.subarray(0, this.#missing));
      case "end":
        requireEmpty(bytes);
        this.#arrived += bytes.length;
        return bytes.length;
    }
  }

  #takeHeader(bytes: Buffer): number {
    if (this.#arrived === 0 && bytes[0] === 0) {
      this.#state = "end";
      return 0;
    }
    const used = bytes.copy(this.#header, this.#arrived);
    this.#arrived += used;
    if (this.#arrived === blockSize) this.#begin();
    return used;
  }

  #begin(): void {
    const { path, size } = readHeader(this.#header);
    if (this.#names.has(path)) throw new RangeError("the archive has a name twice");
    if (this.#names.size >= maxFiles) throw new RangeError(`the archive has more than ${maxFiles} files`);
    this.#names.add(path);
    this.#listener.begin(path);
    this.#state = "content";
    this.#missing = size;
    this.#padding = paddingOf(size);
    if (size === 0) this.#end();
  }

  #takeContent(bytes: Buffer): number {
    this.#listener.add(bytes);
    this.#missing -= bytes.length;
    if (this.#missing === 0) this.#end();
    return bytes.length;
  }

  #end(): void {
    this.#listener.end();
    this.#state = this.#padding === 0 ? "header" : "padding";
    this.#missing = this.#padding;
    this.#arrived = 0;
  }

  #takePadding(bytes: Buffer): number {
    requireEmpty(bytes);
    this.#missing -= bytes.length;
    if (this.#missing === 0) this.#state = "header";
    return bytes.length;
  }
}
