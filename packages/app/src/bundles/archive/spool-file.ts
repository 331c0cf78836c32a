import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import type { TarEntry } from "./tar-writer.ts";

/** A file of a bundle, with its hash for the manifest. */
export interface BundleFile extends TarEntry {
  readonly sha256: string;
}

/** Takes a string in pieces. */
export interface TextSink {
  add(text: string): void;
}

/** The maximum number of characters that are kept in memory before they are written. */
const maxPending = 128 * 1024;

/** The number of bytes to read at once. */
const pieceBytes = 256 * 1024;

/** Files of a bundle that do not fit in memory. All are in one temporary file, one after the other. */
export class SpoolFile implements TextSink {
  readonly #file: FileHandle;
  #hash = createHash("sha256");
  #pending: string[] = [];
  #pendingLength = 0;
  /** Where the file that is being written begins, and how many bytes of it are written. */
  #start = 0;
  #bytes = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Adds text to the file. It is kept in memory until `flush`. */
  add(text: string): void {
    this.#pending.push(text);
    this.#pendingLength += text.length;
  }

  /** Writes the collected text if it is long. */
  async flush(): Promise<void> {
    if (this.#pendingLength >= maxPending) await this.#write();
  }

  /** Completes the current file and begins the next one. */
  async finish(path: string): Promise<BundleFile> {
    await this.#write();
    const [file, start, bytes] = [this.#file, this.#start, this.#bytes];
    const sha256 = this.#hash.digest("hex");
    this.#hash = createHash("sha256");
    this.#start += bytes;
    this.#bytes = 0;
    return { path, bytes, sha256, read: () => readRange(file, start, bytes) };
  }

  /** Writes a whole file. */
  async store(path: string, text: string): Promise<BundleFile> {
    this.add(text);
    return this.finish(path);
  }

  async #write(): Promise<void> {
    const bytes = Buffer.from(this.#pending.join(""));
    this.#pending = [];
    this.#pendingLength = 0;
    if (bytes.length === 0) return;
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    await this.#file.writeFile(bytes); // appends to the previous writes
  }
}

/** Yields a part of a file. It uses no stream, because a stream would leave a listener on the file handle. */
export async function* readRange(file: FileHandle, start: number, bytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes; ) {
    const piece = Buffer.allocUnsafe(Math.min(pieceBytes, bytes - at));
    const { bytesRead } = await file.read(piece, 0, piece.length, start + at);
    if (bytesRead === 0) return;
    yield piece.subarray(0, bytesRead);
    at += bytesRead;
  }
}
