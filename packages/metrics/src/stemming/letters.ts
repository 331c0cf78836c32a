/** Properties of the letters of a word for Porter's algorithm. Each takes a single pass, because words can be long. */

/** Whether each letter is a consonant. A `y` is a consonant at the beginning and after a vowel. */
function consonants(word: string): boolean[] {
  const found: boolean[] = [];
  for (const letter of word) found.push(letter === "y" ? !(found.at(-1) ?? false) : !"aeiou".includes(letter));
  return found;
}

/** Counts how often a consonant follows directly after a vowel: the measure m of `[C](VC){m}[V]`. */
export function stemMeasure(stem: string): number {
  return consonants(stem).filter((isConsonant, at, all) => isConsonant && all[at - 1] === false).length;
}

export function containsVowel(stem: string): boolean {
  return consonants(stem).includes(false);
}

/** Whether a word ends in a double consonant, as in `hopp`. */
export function endsInDouble(word: string): boolean {
  return word.length > 1 && word.at(-1) === word.at(-2) && endsInConsonant(word);
}

export function endsInConsonant(word: string): boolean {
  return consonants(word).at(-1) === true;
}

/**
 * Whether a word ends in a consonant, a vowel and a consonant other than w, x or y, as in `hop`, or consists of a vowel and a consonant, as
 * in `us`.
 */
export function endsShort(word: string): boolean {
  const [third, second, last] = consonants(word).slice(-3);
  if (word.length === 2) return third === false && second === true;
  return third === true && second === false && last === true && !/[wxy]$/.test(word);
}
