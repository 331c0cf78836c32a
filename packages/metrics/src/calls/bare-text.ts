import { normalizeText } from "@bridle/protocol";
import { unspaced } from "../values/numbers-in.ts";

/**
 * A text as the matchers `fuzzy` and `contains` compare it: its words, numbers and symbols, without case, and without the spaces and
 * punctuation between them.
 */
export interface BareText {
  readonly text: string;
  /** The offsets at which words, numbers and symbols begin; `ends` has the offsets at which they end. */
  readonly starts: ReadonlySet<number>;
  readonly ends: ReadonlySet<number>;
}

const letter = String.raw`[\p{L}--[${unspaced}]]`;
const inWord = String.raw`[[\p{L}\p{M}\p{N}]--[${unspaced}]]`;

/** Minus signs are part of a number unless they follow a word, as in `A-5`, or a number, as in `3-5`. */
const sign = String.raw`(?:(?<![\p{L}\p{M}\p{N}\)\]])(?<minus>[\-−–])|\+)?(?:(?<currency>\p{Sc})(?<late>[\-−–])?)?`;

/** The number of groups is limited, because a search in long runs of groups would take quadratic time. */
const digits = String.raw`(?<digits>(?:\d{1,3}(?:[,'’_]\d{3}){1,20}(?!\d)|\d+)(?:\.\d+){0,20}|\.\d+)(?!${letter}|\p{N})`;

/** Symbols at the end of a word belong to the word: C++ is not C. */
const word = `(?<word>${inWord}+(?:[+#]+(?!${inWord}))?)`;

/** Scripts without spaces have no words: each of their characters counts as one. */
const pattern = new RegExp(`${sign}${digits}|(?<single>[${unspaced}]\\p{M}*)|${word}|(?<symbol>[\\p{S}%#&@])`, "gv");

export function readBareText(text: string): BareText {
  const apart = text.replaceAll(/(?<=\p{Nd})(?=\p{No})/gu, " "); // NFKC would turn 10² into 102
  const pieces = [...normalizeText(apart, "NFKC").toLowerCase().matchAll(pattern)].flatMap(({ groups = {} }) =>
    piecesOf(groups),
  );
  const [starts, ends] = [new Set<number>(), new Set<number>()];
  let joined = "";
  for (const piece of pieces) {
    if (/\d$/.test(joined) && /^[-.\d]/.test(piece)) joined += " "; // 1 5 is not 15
    starts.add(joined.length);
    joined += piece;
    ends.add(joined.length);
  }
  return { text: joined, starts, ends };
}

function piecesOf({
  minus,
  late,
  currency,
  digits: number,
  single,
  word: name,
  symbol,
}: Partial<Record<string, string>>) {
  if (number === undefined) return [single ?? name ?? symbol ?? ""];
  const plain = number.replaceAll(/[,'’_]/g, "").replace(/^\./, "0.");
  return [...(currency === undefined ? [] : [currency]), `${(minus ?? late) ? "-" : ""}${plain}`];
}

/** Whether a text contains all words of another text, next to each other and as whole words: `no` is not in `unknown`. */
export function containsBareText(whole: BareText, part: string): boolean {
  for (let at = whole.text.indexOf(part); at >= 0; at = whole.text.indexOf(part, at + 1)) {
    if (whole.starts.has(at) && whole.ends.has(at + part.length)) return true;
  }
  return false;
}
