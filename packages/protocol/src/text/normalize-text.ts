/**
 * `String.prototype.normalize` in time proportional to the text. The built-in method needs quadratic time to sort a long
 * run of combining marks, and cannot be interrupted. Here a grapheme joiner (U+034F) divides such a run after every 30
 * marks, as in the Stream-Safe Text Format of UAX #15. No language needs more than a few.
 */
export function normalizeText(text: string, form: "NFC" | "NFD" | "NFKC"): string {
  return text.replaceAll(longRun, "$&\u034f").normalize(form);
}

/** Two sound marks of half-width Katakana are letters that become combining marks. */
const longRun = /[\p{M}\uff9e\uff9f]{30}(?=[\p{M}\uff9e\uff9f])/gu;
