/** Finds expressions that check nothing: they match every text, or stop looking at the end of a line. */
import { runInTime } from "@bridle/core";
import { alternativesOf, compileExpression, freeSearch, isHeldAtAnEnd } from "./expression-parts.ts";

/** The time limit of a search in the short samples. Only expressions with nested repetition exceed the limit. */
const searchMs = 1000;

/** A text that no expression is likely to search for. */
const unlikely = "\u{10FFFE}";

/** Ordinary texts that have nothing in common. */
const ordinary = ["ok", "75", "No.", "It has shipped."];

/** Texts of other kinds: long, with several lines, in other scripts. */
const unusual = ["long ".repeat(2000), "ok\n\n75", "ναι 是", unlikely];

/** Sentences that begin and end differently, in one or more lines. Each has a letter. */
const sentences = [
  "It has shipped.",
  "No.",
  "3 of 4 have shipped",
  "- I am sorry, that is late!",
  "It is order 66",
  "\u201cYes\u201d, she said (twice)?",
  ...unusual.slice(0, 2),
];
const letters = [..."abcdefghijklmnopqrstuvwxyz"];
/** An expression that excludes only this many letters, such as `[^x]`, requires nothing. */
const fewLetters = 2;

const needed = "checks nothing. Write the text that has to occur.";

/** Explains why an expression is useless for an argument of a call: it is not valid, or it matches every text. */
export function expressionFault(source: string): string | undefined {
  const invalid = faultOfSyntax(source);
  if (invalid !== undefined) return invalid;
  if (someChoice(source, matchesEveryText)) return `matches every text, so it ${needed}`;
  if (someChoice(source, matchesOnlyPositions))
    return `matches a position in every ordinary text and no character, so it ${needed}`;
  return forbidsFromAnywhere(source) ?? forbidsInOneLine(source);
}

/** Explains why an expression is useless for an agent's answer. An answer is never empty, so `.` and `\w+` check nothing either. */
export function answerExpressionFault(source: string): string | undefined {
  const fault = expressionFault(source);
  if (fault !== undefined) return fault;
  if (someChoice(source, matchesEveryAnswer)) return `matches every ordinary answer, so it ${needed}`;
  if (!someChoice(source, matchesEverySentence)) return undefined;
  return `matches almost every answer with a letter in it, so it ${needed}`;
}

/** Whether the whole expression or a single alternative has the fault, because then the expression checks nothing. */
function someChoice(source: string, isFault: (choice: string) => boolean): boolean {
  return [source, ...alternativesOf(source)].some(isFault);
}

function faultOfSyntax(source: string): string | undefined {
  try {
    compileExpression(source);
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `is not valid: ${reason}. Correct it; flags go around a part, as in (?i:shipped).`;
  }
}

/**
 * Whether an expression matches at the end or at the beginning of any text, regardless of the rest: `x*` does, and so does `(?!.*sorry)`,
 * because nothing follows at the end.
 */
function matchesEveryText(source: string): boolean {
  const samples = ["", unlikely, ...ordinary];
  const looksBack = /\(\?<[=!]|\\b|\\B/i.test(source);
  if (!looksBack && samples.every((text) => matchAt(source, text, text.length) !== undefined)) return true;
  const looksAhead = /\(\?[=!]|\\b|\\B/i.test(source);
  if (!looksAhead && samples.every((text) => matchAt(source, text, 0) === "")) return true;
  const others = [...samples, ...unusual, ...literalsIn(source)];
  return !mayForbid(source) && others.every((text) => firstMatch(source, text) !== undefined);
}

/** Whether an expression matches only positions that every text with a letter has, such as `\b`, `(?=.)` and `(?!$)`. */
function matchesOnlyPositions(source: string): boolean {
  return !mayForbid(source) && ordinary.every((text) => firstMatch(source, text) === "");
}

/**
 * Whether an expression may forbid something, as `^(?!.*sorry)` does, so that ordinary texts must match it. Without `^`
 * and `$`, the expression is tried at every position, and matches at some position of a text with "sorry".
 */
function mayForbid(source: string): boolean {
  return /\(\?<?!/.test(source) && isHeldAtAnEnd(source);
}

function matchesEveryAnswer(source: string): boolean {
  if (mayForbid(source)) return false;
  if (!isEverywhere(source, [...ordinary, ...unusual.slice(0, 2), ...literalsIn(source)])) return false;
  const otherScripts = unusual.slice(2);
  const mixed = ["It has shipped.", ...otherScripts].join(" ");
  return isEverywhere(source, otherScripts) || isEverywhere(source, [mixed]); // ^[\x20-\x7E]*$ requires an alphabet
}

/** Whether an expression matches every sentence because a single letter is enough, such as `\p{L}`, `\D` and `[^x]`. */
function matchesEverySentence(source: string): boolean {
  if (mayForbid(source)) return false;
  const refused = letters.filter((letter) => firstMatch(source, letter) === undefined);
  if (refused.length > fewLetters) return false;
  const withLiterals = literalsIn(source).flatMap((text) => [`${text} is ok.`, `It is ${text} ok.`, `It is ${text}`]);
  return isEverywhere(source, [...sentences, ...withLiterals]);
}

function isEverywhere(source: string, texts: readonly string[]): boolean {
  return texts.every((text) => firstMatch(source, text) !== undefined);
}

/** Finds the fault that "sorry" is forbidden only from some position on. Without `^`, a text with "sorry" matches at a later position. */
function forbidsFromAnywhere(source: string): string | undefined {
  const search = freeSearch(source);
  if (search === undefined) return undefined;
  return `tries ${search} at every position, so a text with the forbidden part fits at a later position. Hold it with ^ at the beginning: (?s:^${search}).`;
}

/** Finds the fault that `^(?!.*sorry)` forbids a text in the first line only, because a dot does not match a line break. */
function forbidsInOneLine(source: string): string | undefined {
  if (!/\(\?!\.[*+]/.test(source)) return undefined;
  const isRefused = (text: string) => firstMatch(source, text) === undefined;
  const missed = literalsIn(source).find(
    (text) => isRefused(text) && !(isRefused(`ok\n${text}`) && isRefused(`${text}\nok`)),
  );
  if (missed === undefined) return undefined;
  const shown = JSON.stringify(missed);
  return `forbids ${shown} in one line only, because a point matches no line break. Write (?s:…) around it, and no flag m.`;
}

/** Finds the first match of an expression in a text; `undefined` without a match, or if the search takes too long. */
function firstMatch(source: string, text: string): string | undefined {
  const expression = compileExpression(source);
  return runInTime(() => expression.exec(text)?.[0], searchMs)?.value;
}

function matchAt(source: string, text: string, index: number): string | undefined {
  const expression = compileExpression(source, "y");
  expression.lastIndex = index;
  return runInTime(() => expression.exec(text)?.[0], searchMs)?.value;
}

const maxLiterals = 20;
const escaped = 0xe000; // private-use characters replace escaped ones, which would otherwise end a literal
const classes: Readonly<Record<string, string>> = { d: "7", w: "o", s: " ", n: "\n", t: "\t", r: "\r" };

/** Lists the texts that an expression requires or forbids, such as `sorry` in `^(?!.*sorry)`. */
function literalsIn(source: string): string[] {
  const plain = source
    .replaceAll(/\\[bB]|\\[pP]\{[^}]*\}|\{\d*,?\d*\}/g, "")
    .replaceAll(/\\(.)/gsu, (_, sign: string) => String.fromCodePoint(escaped + (classes[sign] ?? sign).charCodeAt(0)))
    .replaceAll(/\(\?(?:<?[=!]|[a-z-]*:|<\w+>)/g, "(")
    .replaceAll(/\[\^([^\]]*)\]/g, (_, inside: string) => `|${[...inside].join("|")}|`)
    .replaceAll(/\[([^\]]?)[^\]]*\]/g, "$1")
    .replaceAll(/\.[*+?]*/g, "|")
    .replaceAll(/[*+?]/g, "");
  const found = plain.split(/[()|^$[\]]+/).map((text) => text.replaceAll(/[\u{e000}-\u{f8ff}]/gu, unescaped));
  return [...new Set(found)].filter((text) => text !== "").slice(0, maxLiterals);
}

function unescaped(sign: string): string {
  return String.fromCharCode(sign.charCodeAt(0) - escaped);
}
