import { importOptional } from "@bridle/core";
import type { DocumentFile, ParseContext } from "../block.ts";
import { DocumentError } from "../document-error.ts";
import { decodeAs } from "./decode-as.ts";
import { isPlausible } from "./is-plausible.ts";

/** Names of encodings that differ from the labels of TextDecoder. */
const labels: Readonly<Record<string, string>> = {
  "utf-16-le": "utf-16le",
  "utf-16-be": "utf-16be",
  macroman: "macintosh",
  maccyrillic: "x-mac-cyrillic",
  cp932: "shift_jis",
  cp949: "euc-kr",
};

/** The number of bytes that a guess uses, and how many of them may be before the first non-ASCII byte. */
const [sampleBytes, bytesBefore] = [200_000, 1000];

/**
 * Decodes a file of unknown encoding with the encoding that matches best. Warns, except for UTF-16. Throws DocumentError if no encoding
 * matches, or if the result does not look like text. Needs the optional package jschardet.
 */
export async function guessText({ name, bytes }: DocumentFile, { warn }: ParseContext): Promise<string> {
  const { detect } = await importOptional(
    ["jschardet"],
    () => import("jschardet"),
    (problem, cause) => new DocumentError(name, `${unknown} To guess its encoding, Bridle ${problem}`, { cause }),
  );
  const { encoding } = detect(sampleOf(bytes));
  if (encoding === null) throw new DocumentError(name, unknown);
  const text = decodeAs(labels[encoding.toLowerCase()] ?? encoding, bytes);
  if (text === undefined || !isPlausible(text)) throw new DocumentError(name, unclear(encoding));
  if (!/^utf/i.test(encoding))
    warn(`is read as ${encoding}, which is a guess. If letters are wrong, save it as UTF-8.`);
  return text;
}

const unknown = "is neither UTF-8 nor UTF-16 text. Save it as UTF-8.";

function unclear(encoding: string): string {
  return `is neither UTF-8 nor UTF-16 text, and its encoding is not clear (${encoding} is possible). Save it as UTF-8.`;
}

function sampleOf(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte >= 0x80);
  const from = Math.max(0, first - bytesBefore) & ~1; // UTF-16 has two bytes for each unit
  return bytes.subarray(from, from + sampleBytes);
}
