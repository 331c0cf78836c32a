import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { systemErrorCode } from "@bridle/protocol";
import { type TarListener, TarReader } from "./tar-reader.ts";

/** A packed archive that can be read more than once, such as a file or a `Blob`. */
export interface ArchiveSource {
  readonly size: number;
  stream(): AsyncIterable<Uint8Array>;
}

/** The size of a piece in bytes. Larger pieces are not faster. */
const pieceBytes = 128 * 1024;

/**
 * Unpacks an archive in pieces. Throws RangeError if it is not a complete archive of plain files, has data after its end, or
 * would unpack to more than `limit` bytes.
 */
export async function readArchive(source: ArchiveSource, limit: number, listener: TarListener): Promise<void> {
  const reader = new TarReader(listener);
  for await (const piece of unzip(source, limit)) reader.add(piece);
  reader.finish();
}

async function* unzip(source: ArchiveSource, limit: number): AsyncGenerator<Uint8Array> {
  const input = Readable.from(source.stream());
  const gunzip = createGunzip({ chunkSize: pieceBytes });
  input.on("error", (error) => gunzip.destroy(error));
  let bytes = 0;
  try {
    for await (const piece of input.pipe(gunzip)) {
      bytes += piece.length;
      if (bytes > limit) throw new RangeError(`it has more than ${limit} bytes unpacked`);
      yield piece;
    }
    if (gunzip.bytesWritten < source.size) throw new RangeError("it has data after its end");
  } catch (cause) {
    if (systemErrorCode(cause) === "Z_BUF_ERROR") throw new RangeError("the archive is cut off", { cause });
    throw cause;
  } finally {
    input.destroy();
    gunzip.destroy();
  }
}
