/**
 * Normalizes a string like `String.prototype.normalize`, but in time proportional to its length. The built-in method needs quadratic time
 * to sort a long run of combining marks, and cannot be interrupted. This function inserts a grapheme joiner (U+034F) into such a run after
 * every 30 marks, as in the Stream-Safe Text Format of UAX #15. No language needs more than a few marks in a row.
 */
export function normalizeText(text: string, form: "NFC" | "NFD" | "NFKC"): string {
  return text.replaceAll(longRun, "$&\u034f").normalize(form);
}

/** Matches 30 marks before another. The two half-width Katakana sound marks are letters that become combining marks. */
const longRun = /[\p{M}\uff9e\uff9f]{30}(?=[\p{M}\uff9e\uff9f])/gu;
