import type { DocumentFile } from "../block.ts";
import { DocumentError } from "../document-error.ts";

/**
 * The text of a file in UTF-8, in UTF-16 with a byte order mark, or in the encoding that the file itself declares. Throws
 * DocumentError for other encodings, since a guess would put wrong letters into the index.
 */
export function decodeText({ name, bytes }: DocumentFile, declared?: string): string {
  try {
    return decodeMarked(bytes);
  } catch (cause) {
    const text = declared === undefined ? undefined : decodeAs(declared, bytes);
    if (text !== undefined) return text;
    throw new DocumentError(name, "is neither UTF-8 nor UTF-16 text. Save it as UTF-8.", { cause });
  }
}

/** Text in UTF-8, or in UTF-16 with a byte order mark. Throws a TypeError for other bytes. */
export function decodeMarked(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return "utf-8";
}

/** `undefined` if the encoding is not known, or if the bytes are not in it. */
function decodeAs(encoding: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
