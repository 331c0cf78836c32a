/** The part of a word that its forms share. English mostly; in other languages plurals with s. Pure. */

const replacements: readonly (readonly [RegExp, string])[] = [
  [/(?<=\p{L}{2})ies$/u, "y"],
  [/(?<=(?:x|ch|sh|ss|z))es$/, ""],
  [/(?<=[^sui])s$/, ""],
];

const endings: readonly (readonly [RegExp, string])[] = [
  [/(?<=\p{L}{3})(?:ations?|ating|ated|ates?)$/u, "at"],
  [/(?<=\p{L}{3})(?:ing|ed|ally|ly|als?|ers?|ments?)$/u, ""],
  [/(?<=\p{L}{3})e$/u, ""],
];

/** `counts`, `counted` and `counting` are `count`; `cancelled` and `cancel` are `cancel`. */
export function stemWord(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word;
  const singular = replaceFirst(word, replacements);
  const stem = replaceFirst(singular, endings);
  return stem.length > 4 && /([^aeiou])\1$/.test(stem) ? stem.slice(0, -1) : stem;
}

function replaceFirst(word: string, rules: readonly (readonly [RegExp, string])[]): string {
  const rule = rules.find(([pattern]) => pattern.test(word));
  return rule === undefined ? word : word.replace(rule[0], rule[1]);
}
