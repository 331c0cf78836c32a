/** Reads the words, numbers and negation of a statement, for all comparisons of statements. Pure. */
import { normalizeText, showHiddenInDocument } from "@bridle/protocol";
import { valueOfKanji, valueOfNumberWord } from "../number-words.ts";
import { countNegations } from "../polarity.ts";
import { statementWords } from "../statement-words.ts";
import { unitNames } from "./unit-names.ts";

export interface Wording {
  /** A string that is equal for statements that differ only in case, whitespace, emphasis and the final period. */
  readonly form: string;
  /** The meaningful words of the subject and the statement, and the numbers. */
  readonly stems: ReadonlySet<string>;
  /** The meaningful words of the subject. */
  readonly subject: ReadonlySet<string>;
  /** The numbers, each with its unit if that is known: `10 minute`. */
  readonly numbers: ReadonlySet<string>;
  readonly isNegated: boolean;
  /** Names with underscores or dots, such as `fares.amount_cents`. */
  readonly identifiers: ReadonlySet<string>;
}

/** Caches wordings, because a run reads each statement several times, and splitting statements into words takes most of the time. */
const known = new Map<string, Wording>();
const maxKnown = 50_000;

export function readWording(subject: string, statement: string): Wording {
  const key = `${subject}\0${statement}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  if (known.size >= maxKnown) known.clear();
  const wording = parseWording(subject, statement);
  known.set(key, wording);
  return wording;
}

function parseWording(subject: string, statement: string): Wording {
  const form = normalForm(statement);
  const tokens = form.replaceAll(ideographs, " $& ").match(token) ?? [];
  const own = subjectStems(subject);
  const numbers = numbersOf(tokens);
  const values = Array.from(numbers, (number) => number.split(" ")[0] ?? number);
  return {
    form,
    numbers,
    subject: own,
    stems: new Set([...own, ...stemsOf(form), ...values]),
    isNegated: countNegations(form) > 0,
    identifiers: new Set(tokens.filter((each) => identifier.test(each))),
  };
}

/** Returns the statement as one line in lower case, without emphasis, hidden characters and the final period. */
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

/** Returns the meaningful words of a subject; all of its words if none is meaningful. */
function subjectStems(subject: string): ReadonlySet<string> {
  const form = normalForm(subject);
  const stems = stemsOf(form);
  return new Set(stems.length > 0 ? stems : form.split(" ").filter((word) => word !== ""));
}

const ideographs = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+/gu;
const kanjiNumber = /[〇一二三四五六七八九十百千万萬]+/gu;
const identifier = /^[\p{L}_][\p{L}\p{N}$]*(?:[_.][\p{L}\p{N}_$]+)+$/u;
const token = /\d+(?:[.,:/-]\d+)*|[€$£%×]|[\p{L}\p{M}_]+[\p{L}\p{M}\p{N}]*(?:[_.$#'][\p{L}\p{M}\p{N}_]+)*/gu;

/** Verbs of definitions: `includes`, `counts as`. */
const definingWords = new Set(["count", "call", "mean", "equal", "includ", "include"]);

function stemsOf(form: string): readonly string[] {
  const pairs = [...form.matchAll(ideographs)].flatMap(([run]) => pairsOf([...run]));
  const words = statementWords(form.replaceAll(ideographs, " "));
  const stems = words.flatMap((word) => {
    if (/^[\d€$£%×]/.test(word) || countNegations(word) > 0 || valueOfNumberWord(word) !== undefined) return [];
    const parts = identifier.test(word) ? word.split(/[_.$]+/).filter((part) => part !== "") : [];
    return [word, ...parts]
      .map((part) => unitNames.get(part) ?? loosen(part))
      .filter((part) => !definingWords.has(part));
  });
  return [...stems, ...pairs];
}

/** Returns each pair of adjacent characters, for scripts without spaces. */
function pairsOf(characters: readonly string[]): readonly string[] {
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** Strips derivational endings: `rental` and `rent`, `cancellation` and `cancel` become equal. */
function loosen(word: string): string {
  if (!/^[a-z]{5,}$/.test(word)) return word;
  const stem = word.replace(/(?<=[a-z]{3})(?:ations?|ating|ate|ally|ly|als?|ers?|ments?|e)$/, "");
  return /([^aeiou])\1$/.test(stem) && stem.length > 4 ? stem.slice(0, -1) : stem;
}

function numbersOf(tokens: readonly string[]): ReadonlySet<string> {
  return new Set(
    tokens.flatMap((each, index) => {
      const [before = "", after = ""] = [tokens[index - 1], tokens[index + 1]];
      const unit = unitNames.get(after) ?? (/^[€$£]$/.test(before) ? unitNames.get(before) : undefined);
      const written = /^\d/.test(each) ? plainNumber(each) : valueOfNumberWord(each)?.toString();
      const kanji = [...each.matchAll(kanjiNumber)]
        .map(([run]) => valueOfKanji(run))
        .filter((value) => value !== undefined && value > 1);
      return [
        ...(written === undefined ? [] : [unit === undefined ? written : `${written} ${unit}`]),
        ...kanji.map(String),
      ];
    }),
  );
}

/** Writes a number so that `1,000` and `1000`, or `2.50` and `2.5`, are equal. Does not change dates and times. */
function plainNumber(text: string): string {
  const whole = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(text) ? text.replaceAll(",", "") : text;
  return /^\d+\.\d+$/.test(whole) ? String(Number(whole)) : whole;
}
