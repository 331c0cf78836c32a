import type { ValueType, WarehouseValue } from "@bridle/warehouse";

const times: readonly ValueType[] = ["date", "timestamp", "timestamptz"];

/** Whether a value of a column comes before another one: numbers and times by what they are, texts by their characters. */
export function isLess(a: WarehouseValue, b: WarehouseValue, type: ValueType): boolean {
  if (typeof a === "string" && typeof b === "string" && type !== "decimal")
    return times.includes(type) ? isEarlier(a, b) : a < b;
  if (typeof a === "bigint" && typeof b === "bigint") return a < b;
  return Number(a) < Number(b);
}

/** NaN is neither less nor greater than a number. */
export function hasPlace(value: WarehouseValue, type: ValueType): boolean {
  return type === "decimal" || typeof value === "number" ? !Number.isNaN(Number(value)) : true;
}

/** Years before 0 and after 9999 have a sign, and several engines have infinite times. */
function isEarlier(a: string, b: string): boolean {
  const [first, second] = [yearOf(a), yearOf(b)];
  return first === second ? a < b : first < second;
}

function yearOf(text: string): number {
  const [, sign = "", year] = /^([+-]?)(?:(\d+)-|infinity)/.exec(text) ?? [];
  return Number(`${sign}${year ?? "Infinity"}`);
}
