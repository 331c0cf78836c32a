/** Checks whether a quote supports a statement. Pure. */

import { endsWithAmount, findChangedOperators, findLeftOutCondition } from "./clause-operators.ts";
import { mayBeSameLanguage } from "./language-of.ts";
import { statedNumbers, unsupportedNumbers } from "./numbers-in.ts";
import { countNegations, findOpposite, findWronglyNegated } from "./polarity.ts";
import { flattenQuote } from "./quoted-text.ts";
import { sentencesIn } from "./sentences.ts";
import { statementWords, wordsInOrder } from "./statement-words.ts";

/**
 * `verbatim`: the quote contains the statement. `close`: the statement uses the words of one sentence in order. `paraphrase`: the statement
 * is worded differently or in another language, so a model has to confirm it.
 */
export type Grounding =
  | { readonly kind: "verbatim" | "close" | "paraphrase" }
  | { readonly kind: "unfounded"; readonly reason: string };

interface GroundedIn {
  readonly quote: string;
  /** The quote, extended to whole sentences, because it may start within a sentence: after "never", for example. */
  readonly around: string;
  /** The title and the headings above the quote, which name its subject. */
  readonly headings: readonly string[];
}

/** The minimum share of the words of a paraphrase that must occur in its quote. */
const minShared = 2 / 3;
/** The minimum share of the words that must occur in the order of the quote. */
const minInOrder = 0.8;

export function groundStatement(statement: string, { quote, around, headings }: GroundedIn): Grounding {
  const rest = textAround(statement, quote, around);
  if (rest !== undefined) {
    if (countNegations(rest.before) % 2 !== 0)
      return unfounded("A negation is before it in its sentence. State the whole sentence.");
    const left = findLeftOutCondition(rest.before, rest.after);
    if (left === undefined) return { kind: endsWithAmount(rest.before) ? "paraphrase" : "verbatim" };
    return unfounded(`It leaves out the condition or exception "${left}" of its sentence. State the whole sentence.`);
  }
  if (!mayBeSameLanguage(statement, quote)) return groundTranslation(statement, quote);
  const words = statementWords(statement);
  if (words.length === 0) return unfounded("It has no meaningful word.");
  const sentence = closestSentence(words, around);
  const turned = findTurned(statement, sentence);
  if (turned !== undefined) return unfounded(turned);
  const changed = findChangedOperators(statement, sentence);
  if (changed?.kind === "refused") return unfounded(changed.reason);
  const supporting = new Set([...statementWords(quote), ...headings.flatMap(statementWords)]);
  const different = [...new Set(words)];
  const shared = different.filter((word) => supporting.has(word)).length;
  if (shared === different.length) {
    const ordered = wordsInOrder(words, [...headings.flatMap(statementWords), ...statementWords(sentence)]);
    const isClose = ordered >= words.length * minInOrder && changed === undefined;
    return { kind: isClose ? "close" : "paraphrase" };
  }
  if (shared >= different.length * minShared) return { kind: "paraphrase" };
  return unfounded("The quote has few of its words. Use the words of the document.");
}

/** Returns the text before and after a statement in its sentence; undefined if the quote does not contain the statement word for word. */
function textAround(
  statement: string,
  quote: string,
  around: string,
): { readonly before: string; readonly after: string } | undefined {
  const plain = flattenQuote(statement).replace(/[.。!！]+$/u, "");
  const wanted = /^[\p{L}\p{N}]/u.test(plain) && isSpaced(plain) ? ` ${plain}` : plain;
  if (plain === "" || !` ${flattenQuote(quote)}`.includes(wanted)) return undefined;
  const flat = ` ${flattenQuote(around)}`;
  const start = flat.indexOf(wanted);
  const next = flat.slice(start + wanted.length, start + wanted.length + 2);
  if (start < 0 || (isSpaced(plain) && /^[\p{L}\p{N}]/u.test(next))) return undefined; // "5 percentage points" does not contain "5 percent"
  const before = flat.slice(0, start);
  const [after = ""] = flat.slice(start + wanted.length).split(/[.;:!?。！？|]/u);
  return { before: before.slice(before.search(/[^.;:!?。！？|]*$/u)), after };
}

/** Whether the script separates words with spaces. */
function isSpaced(text: string): boolean {
  return !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(text);
}

function groundTranslation(statement: string, quote: string): Grounding {
  const missing = unsupportedNumbers(quote, statedNumbers(statement));
  if (missing.length === 0) return { kind: "paraphrase" };
  return unfounded(`It leaves out ${missing[0]}, which the quote states. Translate the whole sentence.`);
}

function closestSentence(words: readonly string[], quote: string): string {
  const wanted = new Set(words);
  const ranked = sentencesIn(quote).map((sentence) => ({
    sentence,
    shared: new Set(statementWords(sentence).filter((word) => wanted.has(word))).size,
  }));
  return ranked.toSorted((a, b) => b.shared - a.shared)[0]?.sentence ?? quote;
}

function findTurned(statement: string, sentence: string): string | undefined {
  if (countNegations(statement) % 2 !== countNegations(sentence) % 2) {
    return "The quote and the statement differ in a negation. Keep the words of the document.";
  }
  const negated = findWronglyNegated(statement, sentence);
  if (negated !== undefined) return `Only one of the quote and the statement negates "${negated}". Keep its words.`;
  const opposite = findOpposite(statement, sentence);
  return opposite === undefined ? undefined : `The quote states the opposite of "${opposite}". Keep its words.`;
}

function unfounded(reason: string): Grounding {
  return { kind: "unfounded", reason };
}
