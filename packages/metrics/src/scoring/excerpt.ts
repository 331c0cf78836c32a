/** Returns a text in quotation marks, shortened if it is long. */
export const excerpt = (text: string): string => JSON.stringify(shorten(text));

/** Returns the first `maxCharacters` characters of a text and an ellipsis, without splitting a character. Shorter texts are unchanged. */
export function shorten(text: string, maxCharacters = 80): string {
  if (text.length <= maxCharacters) return text;
  const characters = [...text];
  return characters.length > maxCharacters ? `${characters.slice(0, maxCharacters).join("")}…` : text;
}

/** Shortens a text to at most 40 characters, for the name of a metric. */
export const shortenForLabel = (text: string): string => shorten(text, 40);
