/** What a person is shown of a long text; the whole of it is in the transcript. */
const mostCharacters = 500;

/** A text for a person to read, its end left out where it is long. */
export function clipped(text: string): string {
  const characters = [...text.trim()];
  return characters.length > mostCharacters ? `${characters.slice(0, mostCharacters).join("")}…` : characters.join("");
}
