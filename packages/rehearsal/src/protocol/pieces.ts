/** Splits a string into words with the space after them, or a long string into about five hundred pieces. */
export function toPieces(text: string): string[] {
  if (text.length <= 4000) return text.match(/\S+\s*|\s+/gu) ?? [];
  const characters = [...text];
  const size = Math.ceil(characters.length / 500);
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, index) =>
    characters.slice(index * size, (index + 1) * size).join(""),
  );
}
