/** Finds expressions that check nothing: they match every text, or stop looking at the end of a line. */
import { runInTime } from "@bridle/core";

/** Searches in the short samples take no time, unless the expression repeats what it repeats. */
const searchMs = 1000;

/** A text that no expression looks for. */
const unlikely = "\u{10FFFE}";

/** Ordinary texts without anything in common. */
const ordinary = ["ok", "75", "No.", "It has shipped."];

/** Texts of other kinds: long, with several lines, in other scripts. */
const unusual = ["long ".repeat(2000), "ok\n\n75", "ναι 是", unlikely];

const needed = "checks nothing. Write what the text has to contain.";

/** Why an expression cannot be used for an argument of a call: it is not valid, or it matches every text. */
export function expressionFault(source: string): string | undefined {
  const expression = compile(source);
  if (typeof expression === "string") return expression;
  if (matchesEveryText(source)) return `matches every text, so it ${needed}`;
  if (matchesOnlyPositions(source))
    return `matches a position in every ordinary text and no character, so it ${needed}`;
  return forbidsInOneLine(source);
}

/** The same for the answer of an agent. An answer is never empty, so `.` and `\w+` check nothing either. */
export function answerExpressionFault(source: string): string | undefined {
  const fault = expressionFault(source);
  if (fault !== undefined || !matchesEveryAnswer(source)) return fault;
  return `matches every ordinary answer, so it ${needed}`;
}

function compile(source: string): RegExp | string {
  try {
    return new RegExp(source);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `is not valid: ${reason}. Correct it; flags go around a part, as in (?i:shipped).`;
  }
}

/**
 * Whether an expression matches at the end of any text, or at the beginning, whatever comes before or after: `x*`, but also
 * `(?!.*sorry)`, because nothing follows at the end.
 */
function matchesEveryText(source: string): boolean {
  const samples = ["", unlikely, ...ordinary];
  const looksBack = /\(\?<[=!]|\\b|\\B/i.test(source);
  if (!looksBack && samples.every((text) => matchAt(source, text, text.length) !== undefined)) return true;
  const looksAhead = /\(\?[=!]|\\b|\\B/i.test(source);
  if (!looksAhead && samples.every((text) => matchAt(source, text, 0) === "")) return true;
  const others = [...samples, ...unusual, ...literalsIn(source)];
  return !/\(\?<?!/.test(source) && others.every((text) => firstMatch(source, text) !== undefined);
}

/** Such as `\b` and `(?=.)`: every text with a letter has such a position. */
function matchesOnlyPositions(source: string): boolean {
  return !/\(\?<?!/.test(source) && ordinary.every((text) => firstMatch(source, text) === "");
}

function matchesEveryAnswer(source: string): boolean {
  if (/\(\?<?!/.test(source)) return false;
  const [latin, rest] = [[...ordinary, ...unusual.slice(0, 2)], unusual.slice(2)];
  const isEverywhere = (texts: readonly string[]) => texts.every((text) => firstMatch(source, text) !== undefined);
  if (!isEverywhere([...latin, ...literalsIn(source)])) return false;
  const [sentence = ""] = ordinary.slice(-1);
  return isEverywhere(rest) || firstMatch(source, sentence) !== sentence; // ^[\x20-\x7E]*$ asks for an alphabet
}

/** A point matches no line break, so `^(?!.*sorry)` looks at the first line only. */
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

/** The text that an expression matches first; `undefined` if there is none, or if the search takes too long. */
function firstMatch(source: string, text: string): string | undefined {
  return runInTime(() => new RegExp(source).exec(text)?.[0], searchMs)?.value;
}

function matchAt(source: string, text: string, index: number): string | undefined {
  const expression = new RegExp(source, "y");
  expression.lastIndex = index;
  return runInTime(() => expression.exec(text)?.[0], searchMs)?.value;
}

const mostLiterals = 20;
const escaped = 0xe000; // private characters stand for escaped ones, so that they end no literal
const classes: Readonly<Record<string, string>> = { d: "7", w: "o", s: " ", n: "\n", t: "\t", r: "\r" };

/** Texts that an expression looks for or forbids, such as `sorry` of `^(?!.*sorry)`. */
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
  return [...new Set(found)].filter((text) => text !== "").slice(0, mostLiterals);
}

function unescaped(sign: string): string {
  return String.fromCharCode(sign.charCodeAt(0) - escaped);
}
