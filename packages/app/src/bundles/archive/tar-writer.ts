import { blockSize, createHeader, paddingOf } from "./tar-header.ts";

/** A file of an archive. Its content is read when it is packed. */
export interface TarEntry {
  readonly path: string;
  readonly bytes: number;
  read(): Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

const endBytes = 2 * blockSize;

/** Yields an archive of these files in pieces. Throws RangeError if a name is too long. */
export async function* packTar(entries: Iterable<TarEntry>, time: Date): AsyncGenerator<Uint8Array> {
  for (const entry of entries) {
    yield createHeader(entry.path, entry.bytes, time);
    yield* entry.read();
    yield Buffer.alloc(paddingOf(entry.bytes));
  }
  yield Buffer.alloc(endBytes);
}

/** Computes the size in bytes of an archive of these files. */
export function measureTar(entries: readonly Pick<TarEntry, "bytes">[]): number {
  return entries.reduce((sum, { bytes }) => sum + blockSize + bytes + paddingOf(bytes), endBytes);
}
