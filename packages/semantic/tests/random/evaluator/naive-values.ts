/** Values of the naive evaluator. Text, dates and times are strings; a number is a double. */
export interface ExactNumber {
  readonly digits: bigint;
  readonly scale: number;
}
export type NaiveValue = null | boolean | string | number | ExactNumber;

export function exact(digits: bigint | number, scale = 0): ExactNumber {
  return { digits: BigInt(digits), scale };
}

export function isNumber(value: NaiveValue): value is number | ExactNumber {
  return typeof value === "number" || (typeof value === "object" && value !== null);
}

export function toDouble(value: number | ExactNumber): number {
  return typeof value === "number" ? value : Number(exactText(value));
}

/** Writes a number without zeros at the end. */
export function exactText({ digits, scale }: ExactNumber): string {
  const sign = digits < 0n ? "-" : "";
  const all = String(digits < 0n ? -digits : digits).padStart(scale + 1, "0");
  const fraction = all.slice(all.length - scale).replace(/0+$/, "");
  const whole = scale === 0 ? all : all.slice(0, -scale);
  return `${sign}${whole}${scale > 0 && fraction ? `.${fraction}` : ""}`;
}

type Operation = "+" | "-" | "*";

/** Calculates a result, which is NULL if one side is NULL, and a double if one side is a double. */
export function calculate(operation: Operation, left: NaiveValue, right: NaiveValue): NaiveValue {
  if (!isNumber(left) || !isNumber(right)) return null;
  if (typeof left === "number" || typeof right === "number")
    return ofDoubles(operation, toDouble(left), toDouble(right));
  if (operation === "*") return exact(left.digits * right.digits, left.scale + right.scale);
  const scale = Math.max(left.scale, right.scale);
  const [a, b] = [atScale(left, scale), atScale(right, scale)];
  return exact(operation === "+" ? a + b : a - b, scale);
}

function ofDoubles(operation: Operation, left: number, right: number): number {
  if (operation === "*") return left * right;
  return operation === "+" ? left + right : left - right;
}

function atScale({ digits, scale }: ExactNumber, wanted: number): bigint {
  return digits * 10n ** BigInt(wanted - scale);
}

/** Returns the quotient as a double. Division by zero or NULL is NULL. */
export function divide(left: NaiveValue, right: NaiveValue): NaiveValue {
  if (!isNumber(left) || !isNumber(right) || toDouble(right) === 0) return null;
  return toDouble(left) / toDouble(right);
}

/** Compares two values, neither of which is NULL. Compares strings by their UTF-8 bytes. */
export function compareValues(left: NaiveValue, right: NaiveValue): number {
  if (isNumber(left) && isNumber(right)) {
    const difference = calculate("-", left, right);
    if (typeof difference === "number") return Math.sign(difference);
    const { digits } = difference as ExactNumber;
    return digits === 0n ? 0 : digits < 0n ? -1 : 1;
  }
  if (typeof left === "boolean" && typeof right === "boolean") return Number(left) - Number(right);
  return Buffer.compare(Buffer.from(String(left)), Buffer.from(String(right)));
}

/** Returns a string that is equal for equal values. NULL has a different string from all other values. */
export function identityOf(value: NaiveValue): string {
  if (value === null) return "null";
  if (typeof value === "object") return `n${exactText(value)}`;
  return `${typeof value} ${String(value)}`;
}

/** Whether an engine has returned this value. */
export function isReturned(expected: NaiveValue, actual: unknown): boolean {
  if (expected === null || actual === null || actual === undefined)
    return expected === null && (actual === null || actual === undefined);
  if (typeof expected === "boolean") return ["true", "t", "1"].includes(String(actual)) === expected;
  if (typeof expected === "number") return roundedDouble(Number(actual)) === roundedDouble(expected);
  const text = String(actual);
  if (typeof expected === "object") return normalDigits(text) === exactText(expected);
  return text === expected || (/^\d{4}-\d\d-\d\d \d\d:/.test(expected) && text.replace(/\.0+$/, "") === expected);
}

function roundedDouble(value: number): number {
  return Number(value.toPrecision(11)) + 0;
}

function normalDigits(text: string): string {
  const trimmed = text.includes(".") ? text.replace(/\.?0+$/, "") : text;
  return trimmed === "-0" ? "0" : trimmed;
}
