import type { ValueType } from "../port/structure.ts";
import type { WarehouseValue } from "../port/values.ts";

/** The maximum number of a column's values that are checked. */
const maxValues = 1_000;
/** The maximum number of a value's characters that are checked. */
const maxCharacters = 4_000;

/** Types whose values are never sensitive because of their content. */
const plainTypes: readonly ValueType[] = ["boolean", "date", "time", "timestamp", "timestamptz", "interval"];

export function canBeSensitive(type: ValueType): boolean {
  return !plainTypes.includes(type);
}

/** Returns the strings in a column's values, trimmed and not empty: items of arrays, strings within JSON, digits of whole numbers. */
export function textsOf(values: readonly WarehouseValue[]): readonly string[] {
  const step = Math.max(1, Math.ceil(values.length / maxValues));
  return values
    .filter((_, index) => index % step === 0)
    .flatMap(textsIn)
    .map((text) => text.slice(0, maxCharacters).trim())
    .filter((text) => text !== "");
}

function textsIn(value: WarehouseValue): readonly string[] {
  if (typeof value === "string") return [...textsInJson(value), withoutFraction(value)];
  if (typeof value === "bigint") return [String(value)];
  if (typeof value === "number") return Number.isSafeInteger(value) ? [String(value)] : [];
  if (value instanceof Uint8Array) return [Buffer.from(value.subarray(0, maxCharacters)).toString("utf8")];
  return Array.isArray(value) ? value.flatMap(textsIn) : [];
}

/** Returns the strings in a JSON object or array, in which escapes may hide their `@` and digits. */
function textsInJson(text: string): readonly string[] {
  if (!/^\s*[[{]/.test(text) || text.length > maxCharacters) return [];
  try {
    return leaves(JSON.parse(text));
  } catch {
    return [];
  }
}

function leaves(value: unknown): readonly string[] {
  if (typeof value === "string" || typeof value === "number") return [String(value)];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(leaves) : [];
}

/** Removes a fraction of zeros, because long numbers are often stored as decimals: `4111111111111111.00`. */
function withoutFraction(text: string): string {
  return text.replace(/^(\d{9,})\.0+$/, "$1");
}
