/** Recognises national identification numbers whose form or check digits distinguish them from other numbers. */
import { hasLuhnDigit, remainder, weightedSum } from "./checksums.ts";

const tests: readonly ((text: string) => boolean)[] = [
  // United States: social security number
  (text) => /^(?!000|666|9)\d{3}[- ](?!00)\d{2}[- ](?!0000)\d{4}$/.test(text),
  // Brazil: CPF, with its usual punctuation
  (text) => /^\d{3}\.\d{3}\.\d{3}-\d{2}$/.test(text) && isCpf(text.replaceAll(/\D/g, "")),
  // Spain: DNI and NIE
  (text) => /^[XYZ\d]\d{7}-?[A-Z]$/i.test(text) && isDni(text.replace("-", "").toUpperCase()),
  // Italy: codice fiscale
  (text) => /^[A-Z]{6}\d{2}[ABCDEHLMPRST]\d{2}[A-Z]\d{3}[A-Z]$/i.test(text),
  // United Kingdom: national insurance number
  (text) => /^(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]$/i.test(text),
  // Sweden: personnummer
  (text) =>
    /^(?:\d{2})?\d{2}(?:0[1-9]|1[0-2])\d{2}[-+]\d{4}$/.test(text) && hasLuhnDigit(text.replace(/[-+]/, "").slice(-10)),
  // Finland: henkilötunnus
  (text) => /^\d{2}(?:0[1-9]|1[0-2])\d{2}[-+A-FU-Y]\d{3}[0-9A-Y]$/.test(text),
  // China: resident identity card
  (text) => /^[1-8]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])\d{5}[\dX]$/i.test(text) && isResidentId(text.toUpperCase()),
  // Korea: resident registration number
  (text) => /^\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])-[1-8]\d{6}$/.test(text),
  // France: numéro de sécurité sociale
  (text) => /^[12] ?\d{2} ?(?:0[1-9]|1[0-2]|[2-9]\d) ?(?:\d{2}|2A|2B) ?\d{3} ?\d{3} ?\d{2}$/i.test(text) && isNir(text),
];

export function isNationalId(text: string): boolean {
  return text.length >= 9 && text.length <= 24 && tests.some((isOne) => isOne(text));
}

/** Matches forms that other strings rarely have: numbers written in their usual groups, or with several check digits. */
const inText =
  /(?<![\w.-])(?:\d{3}-\d{2}-\d{4}|\d{3}\.\d{3}\.\d{3}-\d{2}|\d{17}[\dXx]|\d{6}-\d{7}|[A-Z]{6}\d{2}[A-Z]\d{2}[A-Z]\d{3}[A-Z]|[12] \d{2} \d{2} (?:\d{2}|2[AB]) \d{3} \d{3} \d{2})(?![\w-]|\.\d)/g;

/** Finds national identification numbers in a text. */
export function findNationalIds(text: string): readonly string[] {
  return [...text.matchAll(inText)].map(([found]) => found).filter(isNationalId);
}

function isCpf(digits: string): boolean {
  const check = (length: number) => {
    const weights = Array.from({ length }, (_, index) => length + 1 - index);
    return ((weightedSum(digits, weights) * 10) % 11) % 10;
  };
  return new Set(digits).size > 1 && check(9) === Number(digits[9]) && check(10) === Number(digits[10]);
}

function isDni(text: string): boolean {
  const digits = text.slice(0, -1).replace(/^[XYZ]/, (letter) => String("XYZ".indexOf(letter)));
  return "TRWAGMYFPDXBNJZSQVHLCKE"[Number(digits) % 23] === text.at(-1);
}

function isResidentId(text: string): boolean {
  const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
  return "10X98765432"[weightedSum(text, weights) % 11] === text.at(-1);
}

function isNir(text: string): boolean {
  const compact = text.replaceAll(" ", "").toUpperCase().replace("2A", "19").replace("2B", "18");
  return 97 - remainder(compact.slice(0, 13), 97) === Number(compact.slice(13));
}
