/**
 * Estimates the tokens of a text: one for every four letters of an alphabet, or one for each character of a script without spaces. Real
 * models count differently.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(countQuarters(text) / 4);
}

/** Estimates in quarters of a token, so that the estimates of two texts can be added. */
export function countQuarters(text: string): number {
  let quarters = 0;
  for (const character of text) quarters += (character.codePointAt(0) ?? 0) < 0x2e80 ? 1 : 4;
  return quarters;
}
