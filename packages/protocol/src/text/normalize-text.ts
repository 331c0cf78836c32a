/**
 * `String.prototype.normalize` in time proportional to the text. It takes quadratic time, which nothing can stop, to sort
 * a long run of combining marks. Here a grapheme joiner (U+034F) divides such a run after every 30 marks, as in the
 * Stream-Safe Text Format of UAX #15. No language needs more than a few.
 */
export function normalizeText(text: string, form: "NFC" | "NFD" | "NFKC"): string {
  return text.replaceAll(longRun, "$&\u034f").normalize(form);
}

/** Two sound marks of half-width Katakana are letters that become combining marks. */
const longRun = /[\p{M}\uff9e\uff9f]{30}(?=[\p{M}\uff9e\uff9f])/gu;
