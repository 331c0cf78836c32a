/** Decodes UTF-8, or UTF-16 with a byte order mark. Throws a TypeError for other bytes. */
export function decodeMarked(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return "utf-8";
}

/** Decodes bytes; undefined if the encoding is unknown or the bytes are invalid in it. */
export function decodeAs(encoding: string, bytes: Uint8Array): string | undefined {
  try {
    const decoder = new TextDecoder(encoding, { fatal: true });
    const text = decoder.decode(bytes);
    return decoder.encoding === "windows-1252" ? withWindows1252(text) : text;
  } catch {
    return undefined;
  }
}

/** The characters of the bytes 80 to 9F. Node.js 20.20 decodes them as in ISO 8859-1, where they are control characters. */
const windows1252 = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

function withWindows1252(text: string): string {
  return text.replaceAll(/[\x80-\x9f]/g, (control) => windows1252[control.charCodeAt(0) - 0x80] ?? control);
}
