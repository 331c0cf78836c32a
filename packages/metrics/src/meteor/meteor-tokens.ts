import { normalizeText } from "@bridle/protocol";
import { divideSentences } from "../scoring/sentences.ts";
import { splitAtSpace } from "../scoring/white-space.ts";

/** A pattern and its replacement, which mostly inserts spaces between tokens. */
type Rule = readonly [pattern: RegExp, replacement: string];

const letter = String.raw`[\p{L}\p{N}_]`;
const words = (pattern: string) => new RegExp(`(?<!${letter})${pattern}(?!${letter})`, "giu");

/** Opening quotation marks, and an apostrophe before a word that is not an ending such as `'s`. */
const opening: readonly Rule[] = [
  [/[«“‘„]|`+/gu, " $& "],
  [/^"/u, "``"],
  [/``/gu, " $& "],
  [/([ ([{<])(?:"|'')/gu, "$1 `` "],
  [new RegExp(`'(?!re|ve|ll|m|t|s|d|n)(${letter})(?!${letter})`, "giu"), "' $1"],
];
/** A point is a separate token only at the end of the sentence, so that `St.` and `3.50` stay whole. */
const punctuation: readonly Rule[] = [
  [/([^.])(\.)([\])}>"'»”’ ]*)\s*$/u, "$1 $2 $3 "],
  [/([:,])(\P{Nd})/gu, " $1 $2"],
  [/[:,]$/u, " $& "],
  [/\.{2,}/gu, " $& "],
  [/[;@#$%&]/gu, " $& "],
  [/([^.])(\.)([\])}>"']*)\s*$/u, "$1 $2$3 "],
  [/[?!]/gu, " $& "],
  [/([^'])' /gu, "$1 ' "],
  [/\*/gu, " * "],
  [/[\][(){}<>]/gu, " $& "],
  [/--/gu, " -- "],
];
/** Closing quotation marks, and the endings of `it's`, `we'll` and `don't`. */
const closing: readonly Rule[] = [
  [/[»”’]/gu, " $& "],
  [/''|"/gu, " '' "],
  [/([^' ])('[sS]|'[mM]|'[dD]|') /gu, "$1 $2 "],
  [/([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) /gu, "$1 $2 "],
];
/** Contractions that are split into two words, as in the Penn Treebank. */
const contractions: readonly Rule[] = [
  ...["(can)(not)", "(d)('ye)", "(gim)(me)", "(gon)(na)", "(got)(ta)", "(lem)(me)", "(more)('n)", "(wan)(na)"].map(
    (pattern): Rule => [words(pattern), " $1 $2 "],
  ),
  ...["is", "was"].map((word): Rule => [new RegExp(` ('t)(${word})(?!${letter})`, "giu"), " $1 $2 "]),
];

/**
 * Splits a text into tokens in lower case, as NLTK's `word_tokenize` does: words, punctuation, and the parts of contractions. `cannot`
 * becomes `can` and `not`, `don't` becomes `do` and `n't`. `--` and `...` are one token each, and so is `St.` within a sentence.
 *
 * {@link divideSentences} finds the sentences, instead of NLTK's trained model. The text is first normalized (NFC).
 */
export function meteorTokens(text: string): string[] {
  return divideSentences(normalizeText(text, "NFC")).flatMap(sentenceTokens);
}

function sentenceTokens(sentence: string): string[] {
  const single = sentence.trim().replaceAll(/ {2,}/g, " "); // long runs of spaces would take quadratic time
  const inner = replaceAll(single, [...opening, ...punctuation]);
  const tokens = splitAtSpace(replaceAll(` ${inner} `, [...closing, ...contractions]));
  return tokens.map((token) => token.toLowerCase());
}

function replaceAll(text: string, rules: readonly Rule[]): string {
  return rules.reduce((changed, [pattern, replacement]) => changed.replace(pattern, replacement), text);
}
