/** What Porter's algorithm asks of the letters of a word. All are told in a single pass, as words come from anywhere. */

/** Whether each letter is a consonant. A `y` is one at the beginning, and after a vowel. */
function consonants(word: string): boolean[] {
  const found: boolean[] = [];
  for (const letter of word) found.push(letter === "y" ? !(found.at(-1) ?? false) : !"aeiou".includes(letter));
  return found;
}

/** How often a consonant comes right after a vowel: the measure m of `[C](VC){m}[V]`. */
export function measure(stem: string): number {
  return consonants(stem).filter((isConsonant, at, all) => isConsonant && all[at - 1] === false).length;
}

export function containsVowel(stem: string): boolean {
  return consonants(stem).includes(false);
}

/** Whether the last letter is the consonant that also stands before it, as in `hopp`. */
export function endsInDouble(word: string): boolean {
  return word.length > 1 && word.at(-1) === word.at(-2) && endsInConsonant(word);
}

export function endsInConsonant(word: string): boolean {
  return consonants(word).at(-1) === true;
}

/**
 * Whether it ends in consonant, vowel, consonant, the last of which is not w, x or y, as in `hop`; or consists of a vowel
 * and a consonant, as in `us`.
 */
export function endsShort(word: string): boolean {
  const [third, second, last] = consonants(word).slice(-3);
  if (word.length === 2) return third === false && second === true;
  return third === true && second === false && last === true && !/[wxy]$/.test(word);
}
