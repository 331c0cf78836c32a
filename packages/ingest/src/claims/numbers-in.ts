/** Finds the numbers in a text, as strings that can be compared. Pure. */
import { valueOfKanji, valueOfNumberWord } from "./number-words.ts";

/** A run of digits, including the separators of numbers, times and dates. */
const digitRuns = /\d+(?:[.,:/’'\u00a0\u202f-]\d+)*/g;
const kanjiRuns = /[〇一二三四五六七八九十百千万萬]+/gu;
const words = /[\p{L}-]+/gu;

/**
 * Returns every reading of every number in a text: 1.234 and 1234 for `1.234`, and 2 and 30 for `02:30`. Number words count from two on.
 */
export function statedNumbers(text: string): ReadonlySet<string> {
  return new Set(numberGroups(text).flat());
}

/** Returns the numbers in a statement that do not match any reading in the supporting text. */
export function unsupportedNumbers(statement: string, support: ReadonlySet<string>): readonly string[] {
  return numberGroups(statement).flatMap((readings) => {
    const [first = ""] = readings;
    return readings.some((reading) => support.has(reading)) ? [] : [first];
  });
}

/** Returns each number in a text with its readings. */
function numberGroups(text: string): readonly (readonly string[])[] {
  const plain = text.normalize("NFKC");
  const digits = Array.from(plain.matchAll(digitRuns)).flatMap(([found]) => readingsOfDigits(found));
  const spelt = Array.from(plain.toLowerCase().matchAll(words)).flatMap(([found]) => {
    const value = valueOfNumberWord(found);
    return value === undefined ? [] : [[String(value)]];
  });
  const kanji = Array.from(plain.matchAll(kanjiRuns)).flatMap(([found]) => {
    const value = found === "一" || found === "十分" ? undefined : valueOfKanji(found);
    return value === undefined || value < 2 ? [] : [[String(value)]];
  });
  return [...digits, ...spelt, ...kanji];
}

function readingsOfDigits(found: string): readonly (readonly string[])[] {
  if (/[:/]|\d-\d/.test(found)) return found.split(/\D+/).map((part) => [canonical(part)]);
  const bare = found.replaceAll(/[’'\u00a0\u202f]/g, "");
  const separators = bare.match(/[.,]/g) ?? [];
  if (separators.length === 0) return [[canonical(bare)]];
  const isGrouped = /^\d{1,3}(?:[.,]\d{3})+(?:[.,]\d+)?$/.test(bare);
  const last = Math.max(bare.lastIndexOf("."), bare.lastIndexOf(","));
  const decimal = `${bare.slice(0, last).replaceAll(/[.,]/g, "")}.${bare.slice(last + 1)}`;
  const whole = bare.replaceAll(/[.,]/g, "");
  if (separators.length > 1 && new Set(separators).size === 1) {
    return isGrouped ? [[canonical(whole)]] : bare.split(/[.,]/).map((part) => [canonical(part)]); // it is a date or a version
  }
  return isGrouped ? [[canonical(whole), canonical(decimal)]] : [[canonical(decimal)]];
}

/** Removes leading zeros, and trailing zeros of the fraction. */
function canonical(number: string): string {
  const [integer = "", fraction = ""] = number.split(".");
  const shortened = fraction.replace(/0+$/, "");
  return `${integer.replace(/^0+(?=\d)/, "")}${shortened === "" ? "" : `.${shortened}`}`;
}
