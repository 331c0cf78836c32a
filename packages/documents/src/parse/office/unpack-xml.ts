import { unzipSync, zipSync } from "fflate";
import { DocumentError } from "../document-error.ts";
import type { ParseLimits } from "../parse-limits.ts";

/**
 * Unpacks the XML of an Office document, by part name. Only this function unpacks documents, and it stops at the declared sizes, so that no
 * document can make a parser unpack more.
 *
 * @throws DocumentError if the XML is larger than its limit.
 * @throws Error if the archive is damaged.
 */
export function unpackXml(name: string, bytes: Uint8Array, { unpackedBytes }: ParseLimits): Record<string, Uint8Array> {
  let total = 0;
  return unzipSync(bytes, {
    filter: ({ name: file, size, originalSize, compression }) => {
      if (!/\.(xml|rels)$/i.test(file)) return false;
      total += compression === 0 ? Math.max(size, originalSize) : originalSize;
      if (total > unpackedBytes) throw tooLarge(name, unpackedBytes);
      return true;
    },
  });
}

/** Returns the XML of an Office document in an archive without compression. Throws like `unpackXml`. */
export function repackXml(name: string, bytes: Uint8Array, limits: ParseLimits): Uint8Array {
  return zipSync(unpackXml(name, bytes, limits), { level: 0 });
}

function tooLarge(name: string, limit: number): DocumentError {
  const max = Math.round(limit / 1_000_000);
  return new DocumentError(name, `has more than ${max} MB of text when it is unpacked. Split it.`);
}
