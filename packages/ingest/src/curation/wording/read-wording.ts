/** What a statement says, as far as words, numbers and negation show it. Everything that compares statements reads this. Pure. */
import { normalizeText, showHiddenInDocument } from "@bridle/protocol";
import { stemWord } from "./stem-word.ts";
import { denyingWords, emptyWords, numberWords, unitNames } from "./word-lists.ts";

export interface Wording {
  /** Equal for statements that differ in case, white space, emphasis and the last dot only. */
  readonly form: string;
  /** The words with a meaning, of subject and statement, and its numbers. */
  readonly stems: ReadonlySet<string>;
  /** Those of the subject. */
  readonly subject: ReadonlySet<string>;
  /** Each with its unit, if it has a known one: `10 minute`. */
  readonly numbers: ReadonlySet<string>;
  readonly isNegated: boolean;
  /** Names with underscores or dots, such as `fares.amount_cents`. */
  readonly identifiers: ReadonlySet<string>;
}

export function readWording(subject: string, statement: string): Wording {
  const form = normalForm(statement);
  const tokens = tokensOf(form);
  const own = subjectStems(subject);
  const numbers = numbersOf(tokens);
  const stems = new Set([
    ...own,
    ...stemsOf(tokens),
    ...Array.from(numbers, (number) => number.split(" ")[0] ?? number),
  ]);
  return {
    ...{ form, stems, numbers, subject: own },
    isNegated: tokens.some((token) => denyingWords.has(token) || /n['’]t$/.test(token)) || denyingSuffix.test(form),
    identifiers: new Set(tokens.filter((token) => isIdentifier.test(token))),
  };
}

const isIdentifier = /^[\p{L}_][\p{L}\p{N}$]*(?:[_.][\p{L}\p{N}_$]+)+$/u;

/** In Japanese and Chinese, negation is a part of a word. */
const denyingSuffix = /(?:ない|ません|なかった|不|没|無い)/;

/** The statement in lower case, in one line, without emphasis, hidden characters and the last dot. */
export function normalForm(statement: string): string {
  return normalizeText(
    showHiddenInDocument(statement.toWellFormed(), () => ""),
    "NFKC",
  )
    .toLowerCase()
    .replaceAll(/[“”„«»"`]|(?<![\p{L}\p{N}])[*_]+|[*_]+(?![\p{L}\p{N}])/gu, "")
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/\s+/g, " ")
    .trim()
    .replace(/[\s.;:!。]+$/, "");
}

/** The words of a subject that have a meaning; all of its words if none has. */
function subjectStems(subject: string): ReadonlySet<string> {
  const tokens = tokensOf(normalForm(subject));
  const stems = stemsOf(tokens);
  return new Set(stems.length > 0 ? stems : tokens);
}

const ideographs = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+/gu;
const word = /\d+(?:[.,:/-]\d+)*|[€$£%×]|[\p{L}\p{M}\p{N}]+(?:['’_.$#][\p{L}\p{M}\p{N}_]+)*/gu;

function tokensOf(form: string): readonly string[] {
  const spaced = form.replaceAll(ideographs, " ").replaceAll(/(?<=\d)(?=\p{L})/gu, " ");
  const pairs = [...form.matchAll(ideographs)].flatMap(([run]) => pairsOf([...run]));
  return [...(spaced.match(word) ?? []), ...pairs];
}

/** Scripts without spaces: each pair of neighbours. */
function pairsOf(characters: readonly string[]): readonly string[] {
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

function stemsOf(tokens: readonly string[]): readonly string[] {
  return tokens.flatMap((token) => {
    if (/^[\d€$£%×]/.test(token) || emptyWords.has(token) || denyingWords.has(token)) return [];
    if (numberWords.has(token)) return [];
    const parts = isIdentifier.test(token) ? token.split(/[_.$]+/).filter((part) => part !== "") : [];
    const [stem, inner] = [stemWord(token.replace(/['’]s?$/, "")), parts.map(stemWord)];
    return unitNames.has(token) ? [unitNames.get(token) ?? stem, ...inner] : [stem, ...inner];
  });
}

function numbersOf(tokens: readonly string[]): ReadonlySet<string> {
  return new Set(
    tokens.flatMap((token, index) => {
      const number = /^\d/.test(token) ? plainNumber(token) : numberWords.get(token);
      if (number === undefined) return [];
      const [before = "", after = ""] = [tokens[index - 1], tokens[index + 1]];
      const unit = unitNames.get(after) ?? (/^[€$£]$/.test(before) ? unitNames.get(before) : undefined);
      return [unit === undefined ? number : `${number} ${unit}`];
    }),
  );
}

/** `1,000` and `1000`, `2.50` and `2.5` are equal. Dates and times stay as they are. */
function plainNumber(token: string): string {
  const whole = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(token) ? token.replaceAll(",", "") : token;
  return /^\d+\.\d+$/.test(whole) ? String(Number(whole)) : whole;
}
