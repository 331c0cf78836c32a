/** Finds words that reverse the meaning of a sentence: negations, and pairs such as before and after. Pure. */
import { statementWords } from "./statement-words.ts";

const negations =
  /(?<![\p{L}\p{N}])(?:not|no|never|none|neither|nor|without|cannot|non|nobody|nothing|nicht|kein\p{L}*|nie|niemals|ohne|pas|jamais|sans|aucun\p{L}*|ni|nunca|sin|ningun\p{L}*|ningún|não|nao|sem|nenhum\p{L}*|senza|mai|nessun\p{L}*|niet|geen|nooit|zonder|inte|ikke|aldri|aldrig|utan|uten|uden|ingen|nie|bez|не|нет|без|никогда|ні|немає)(?![\p{L}\p{N}-])|n['’]t\b|(?:ない|ません|ず|なし|不|没|沒|无|無|非|않|없|못)|(?<![\p{L}])(?:لا|ليس|غير|بدون|לא|אין|ללא)(?![\p{L}])/giu;

export function countNegations(text: string): number {
  return text.match(negations)?.length ?? 0;
}

/** Returns the words that a negation applies to, which are the next words in its clause. */
function negatedWords(text: string): ReadonlySet<string> {
  const found = Array.from(text.matchAll(negations)).flatMap(({ 0: negation, index }) => {
    const [clause = ""] = text
      .slice(index + negation.length)
      .split(/[,;.:!?。、]|\s(?:and|or|but|und|oder|aber|et|ou|mais|y|o|pero|e|mas)\s/u);
    return statementWords(clause).slice(0, 3);
  });
  return new Set(found);
}

/**
 * Finds a word that a statement negates although its quote affirms it, or the reverse: "assets and not stock" for "stock and not assets".
 */
export function findWronglyNegated(statement: string, quote: string): string | undefined {
  const [own, other] = [negatedWords(statement), negatedWords(quote)];
  const [ownWords, otherWords] = [new Set(statementWords(statement)), new Set(statementWords(quote))];
  const negated = [...own].find((word) => otherWords.has(word) && !other.has(word));
  return negated ?? [...other].find((word) => ownWords.has(word) && !own.has(word));
}

/** Pairs of opposite words. A statement must not use one if its quote has only the other. */
const sides: readonly (readonly [RegExp, RegExp])[] = [
  [
    /\bbefore\b|\bvor\b|\bavant\b|\bantes\b|\bprima\b/iu,
    /\bafter\b|\bnach\b|\baprès\b|\bdespués\b|\bdepois\b|\bdopo\b/iu,
  ],
  [
    /\bat least\b|\bmore than\b|\bover\b|\babove\b|\bexceeds?\b|\bminimum\b|\bfrom \d/iu,
    /\bat most\b|\bless than\b|\bfewer\b|\bunder\b|\bbelow\b|\bmaximum\b|\bup to\b/iu,
  ],
  [
    /\binclud\w*|\binclusive\b|\bcounts? as\b/iu,
    /\bexclud\w*|\bexclusive\b|\bexcept\b|\bwithout\b|\bminus\b|\bbefore\b|\bleft out\b|\bleave out\b|\bnever count/iu,
  ],
  [/\bincreas\w*|\braises?\b|\bdoubl\w*|\brises?\b/iu, /\bdecreas\w*|\blowers?\b|\bhalv\w*|\bfalls?\b|\breduc\w*/iu],
  [/\bfirst\b|\bearliest\b|\bstarts?\b|\bbegins?\b|\bopens?\b/iu, /\blast\b|\blatest\b|\bends?\b|\bcloses?\b/iu],
  [/\balways\b|\ball\b|\bevery\b|\beach\b/iu, /\bonly\b|\bsome\b|\bsometimes\b|\brarely\b/iu],
  [/\bfree\b|\bgratis\b|\bkostenlos\b/iu, /\bcosts?\b|\bcharged\b|\bpaid\b/iu],
  [/\ballowed\b|\bmay\b|\bpermitted\b/iu, /\bforbidden\b|\bprohibited\b|\bmust not\b/iu],
  [/\bgross\b/iu, /\bnet\b/iu],
  [/\bunique\b/iu, /\bduplicates?\b/iu],
];

/** Returns the words in a statement that contradict its quote; undefined if none do. */
export function findOpposite(statement: string, quote: string): string | undefined {
  for (const [one, other] of sides) {
    for (const [said, opposite] of [
      [one, other],
      [other, one],
    ] as const) {
      const found = said.exec(statement);
      if (found !== null && !said.test(quote) && opposite.test(quote)) return found[0];
    }
  }
  return undefined;
}
