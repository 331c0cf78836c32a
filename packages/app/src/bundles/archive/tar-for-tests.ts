/** Packs and unpacks whole archives in memory, for tests. */
import { blockSize, createHeader, paddingOf } from "./tar-header.ts";
import { TarReader } from "./tar-reader.ts";

export interface TarFile {
  readonly path: string;
  readonly content: Uint8Array;
}

/** Packs these files. Throws RangeError if a name is too long. */
export function packFiles(files: readonly TarFile[], time: Date): Uint8Array {
  const blocks = files.flatMap(({ path, content }) => [
    createHeader(path, content.length, time),
    content,
    Buffer.alloc(paddingOf(content.length)),
  ]);
  return Buffer.concat([...blocks, Buffer.alloc(2 * blockSize)]);
}

/** Unpacks an archive that arrives in pieces of the given size. Throws RangeError like `TarReader`. */
export function unpackFiles(archive: Uint8Array, pieceBytes = archive.length): TarFile[] {
  const files: TarFile[] = [];
  let open: { path: string; pieces: Buffer[] } = { path: "", pieces: [] };
  const reader = new TarReader({
    begin: (path) => {
      open = { path, pieces: [] };
    },
    add: (content) => open.pieces.push(content),
    end: () => files.push({ path: open.path, content: Buffer.concat(open.pieces) }),
  });
  for (let at = 0; at < archive.length; at += pieceBytes) reader.add(archive.subarray(at, at + pieceBytes));
  reader.finish();
  return files;
}
