/**
 * How many tokens a text has at most, for models in use: letters of English words count a quarter of a token and a half at
 * word borders, digits a half, everything else a whole one. Names in other scripts may have one token for each letter.
 */
export function estimateReplyTokens(text: string): number {
  let tokens = 0;
  let wasLetter = false;
  for (const character of text) {
    const isLetter = /[a-zA-Z]/.test(character);
    tokens += weigh(character, isLetter) + (isLetter && !wasLetter ? 0.5 : 0);
    wasLetter = isLetter;
  }
  return Math.ceil(tokens);
}

function weigh(character: string, isLetter: boolean): number {
  if (isLetter) return 0.25;
  if (character === " ") return 0.1;
  return /\d/.test(character) ? 0.5 : 1;
}
