/** A text in quotation marks, its end left out where it is long. */
export const excerpt = (text: string): string => JSON.stringify(shortened(text));

/** A text without its end where it has more than `most` characters, none of which is cut in two. */
export function shortened(text: string, most = 80): string {
  if (text.length <= most) return text;
  const characters = [...text];
  return characters.length > most ? `${characters.slice(0, most).join("")}…` : text;
}
