/** A text in quotation marks, shortened if it is long. */
export const excerpt = (text: string): string => JSON.stringify(shorten(text));

/** The first `maxCharacters` characters of a text and an ellipsis; no character is split. Shorter texts are unchanged. */
export function shorten(text: string, maxCharacters = 80): string {
  if (text.length <= maxCharacters) return text;
  const characters = [...text];
  return characters.length > maxCharacters ? `${characters.slice(0, maxCharacters).join("")}…` : text;
}

/** A text of at most 40 characters, for the name of a metric. */
export const shortenForLabel = (text: string): string => shorten(text, 40);
