/** Finds encoded parts of a text that are readable when decoded. Pure. */

/** An encoded part of a text. `text` is the decoded text. */
export interface EncodedPart {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function findEncodedParts(text: string): readonly EncodedPart[] {
  return decoders.flatMap(({ needle, pattern, decode }) =>
    (needle.test(text) ? Array.from(text.matchAll(pattern)) : []).flatMap(({ 0: found, index }) => {
      const decoded = needle.test(found) ? decode(found) : undefined;
      const says = decoded !== undefined && decoded !== found && isReadable(decoded);
      return says ? [{ start: index, end: index + found.length, text: decoded }] : [];
    }),
  );
}

/** Matches invisible characters that hide letters in a text. */
export const hiddenLetters = /[\u{e0020}-\u{e007e}]{4,5000}|[\u202a-\u202e\u2066-\u2069][^\n]{4,5000}/u;

interface Decoder {
  /** A quick test that matches every text with such a part. Only texts that match it are searched with the pattern. */
  readonly needle: RegExp;
  /** The pattern, which must run in linear time. */
  readonly pattern: RegExp;
  decode(found: string): string | undefined;
}

const spaced = /(?<![\p{L}\p{N}])[\p{L}\p{N}](?:[ \t.\-_*·•|]{1,4}[\p{L}\p{N}](?![\p{L}\p{N}])){7,5000}/gu;
/** Divide long lines or words into pieces, because patterns over millions of characters exhaust the stack. */
const [line, word] = [/[^\n]{1,20000}/g, /\S{1,20000}/g];

const decoders: readonly Decoder[] = [
  { needle: /(?:[\p{L}\p{N}][ \t.\-_*·•|]){7}/u, pattern: spaced, decode: joinLetters },
  { needle: /[A-Za-z0-9+/_-]{20}/, pattern: /[A-Za-z0-9+/_-]{20,20000}={0,2}/g, decode: decodeBase64 },
  { needle: /[0-9a-f]{2}[ :]?[0-9a-f]{2}/i, pattern: /(?:[0-9a-f]{2}[ :]?){12,6000}/gi, decode: decodeHex },
  { needle: /%[0-9a-f]{2}/i, pattern: word, decode: decodePercent },
  { needle: /&#x?[0-9a-f]{2,6};/i, pattern: line, decode: decodeEntities },
  { needle: /\\u\{?[0-9a-f]{2,6}/i, pattern: line, decode: decodeEscapes },
  { needle: /[\u{e0020}-\u{e007e}]{4}/u, pattern: /[\u{e0020}-\u{e007e}]{4,5000}/gu, decode: decodeTags },
  { needle: /\b(?:vtaber|qvfertneq|sbetrg|vafgehpgvbaf?|cebzcg)\b/i, pattern: line, decode: turnLetters },
  { needle: /snoitcurtsni|erongi|tpmorp/i, pattern: line, decode: (found) => [...found].reverse().join("") },
];

/** Whether almost all characters are letters, digits, whitespace and punctuation. */
function isReadable(text: string): boolean {
  const plain = text.match(/[\p{L}\p{N}\p{P}\p{S}\s]/gu)?.length ?? 0;
  return /\p{L}{3}/u.test(text) && plain >= [...text].length * 0.95 && !text.includes("\ufffd");
}

/** Joins letters with one character between them. A wider gap ends a word. */
function joinLetters(found: string): string {
  return found.replaceAll(/[ \t.\-_*·•|]+/g, (gap) => (gap.length === 1 ? "" : " "));
}

function decodeHex(found: string): string | undefined {
  return fromBytes(Buffer.from(found.replaceAll(/[ :]/g, ""), "hex"));
}

function decodeBase64(found: string): string | undefined {
  const decoded = fromBytes(Buffer.from(found, "base64"));
  return decoded !== undefined && /[\p{L}]\s|\p{L}{8}/u.test(decoded) ? decoded : undefined;
}

function fromBytes(bytes: Buffer): string | undefined {
  if (bytes.length < 10) return undefined;
  const text = bytes.toString("utf8");
  if (!text.includes("\ufffd") && !text.includes("\0")) return text;
  const wide = bytes.toString("utf16le");
  return /^[\x20-\x7e\s]+$/.test(wide) ? wide : undefined;
}

function decodePercent(found: string): string | undefined {
  try {
    return decodeURIComponent(found.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

function decodeEntities(found: string): string {
  return found.replaceAll(/&#(x?)([0-9a-f]{2,6});/gi, (whole, hex: string, code: string) =>
    fromCode(Number.parseInt(code, hex === "" ? 10 : 16), whole),
  );
}

function decodeEscapes(found: string): string {
  return found.replaceAll(/\\u\{?([0-9a-f]{2,6})\}?/gi, (whole, code: string) =>
    fromCode(Number.parseInt(code, 16), whole),
  );
}

function fromCode(code: number, otherwise: string): string {
  return code > 0x1f && code <= 0x10ffff ? String.fromCodePoint(code) : otherwise;
}

function decodeTags(found: string): string {
  return Array.from(found, (tag) => String.fromCharCode((tag.codePointAt(0) ?? 0) - 0xe0000)).join("");
}

/** Decodes ROT13. */
function turnLetters(found: string): string {
  return found.replaceAll(/[a-z]/gi, (letter) => {
    const first = letter <= "Z" ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - first + 13) % 26) + first);
  });
}
