const mostCharacters = 80;

/** A text in quotation marks, its end left out where it is long. */
export const excerpt = (text: string): string => JSON.stringify(shortened(text));

/** A text without its end where it is long. */
export function shortened(text: string): string {
  const characters = [...text];
  return characters.length > mostCharacters ? `${characters.slice(0, mostCharacters).join("")}…` : text;
}
