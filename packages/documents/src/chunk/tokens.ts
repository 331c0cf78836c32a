/**
 * About how many tokens a model makes of a text: four letters of an alphabet, or one character of a script without
 * spaces. An estimate, as each model counts otherwise.
 */
export function estimateTokens(text: string): number {
  let quarters = 0;
  for (const character of text) quarters += (character.codePointAt(0) ?? 0) < 0x2e80 ? 1 : 4;
  return Math.ceil(quarters / 4);
}
