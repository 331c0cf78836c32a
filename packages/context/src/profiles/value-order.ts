import type { ValueType, WarehouseValue } from "@bridle/warehouse";

const times: readonly ValueType[] = ["date", "timestamp", "timestamptz"];

/** Whether a value of a column comes before another one: numbers and times by size, strings by their characters. */
export function isLess(a: WarehouseValue, b: WarehouseValue, type: ValueType): boolean {
  if (typeof a === "string" && typeof b === "string" && type !== "decimal")
    return times.includes(type) ? isEarlier(a, b) : a < b;
  if (typeof a === "bigint" && typeof b === "bigint") return a < b;
  const [first, second] = [Number(a), Number(b)];
  return first === second ? isLessDecimal(String(a), String(b)) : first < second;
}

/** Compares decimals that are the same floating-point number, such as 9007199254740993.1 and 9007199254740993.2. */
function isLessDecimal(a: string, b: string): boolean {
  const [first, second] = [partsOf(a), partsOf(b)];
  if (first === undefined || second === undefined) return false;
  const digits = Math.max(first.fraction.length, second.fraction.length);
  const scaled = ({ sign, whole, fraction }: typeof first) => BigInt(`${sign}${whole}${fraction.padEnd(digits, "0")}`);
  return scaled(first) < scaled(second);
}

/** Splits a decimal; undefined for a string that is not a plain decimal, such as `Infinity` or `1e400`. */
function partsOf(text: string) {
  const [found, sign = "", whole = "", fraction = ""] = /^(-?)(\d+)(?:\.(\d*))?$/.exec(text) ?? [];
  return found === undefined ? undefined : { sign, whole, fraction };
}

/** Whether a value can be ordered. NaN is neither less nor greater than a number. */
export function hasPlace(value: WarehouseValue, type: ValueType): boolean {
  return type === "decimal" || typeof value === "number" ? !Number.isNaN(Number(value)) : true;
}

/** Compares times. Years before 0 and after 9999 have a sign, and several engines have infinite times. */
function isEarlier(a: string, b: string): boolean {
  const [first, second] = [yearOf(a), yearOf(b)];
  return first === second ? a < b : first < second;
}

function yearOf(text: string): number {
  const [, sign = "", year] = /^([+-]?)(?:(\d+)-|infinity)/.exec(text) ?? [];
  return Number(`${sign}${year ?? "Infinity"}`);
}
