/** A value of a result, as in JSON. */
export type CellValue = null | boolean | number | string | readonly CellValue[] | { readonly [key: string]: CellValue };

/** A value with the facts that determine how it is compared. */
export interface ComparedValue {
  readonly value: CellValue;
  /** Whether the value's column contains numbers. If the type is unknown, JSON numbers are numeric. */
  readonly isNumeric: boolean;
}

const numeral = /^[-+]?\d+(?:\.\d+)?$/;
/** The relative difference between floats that the order of additions can cause. */
const relativeError = 1e-9;

/**
 * Whether two values are the same. Numbers are compared as numbers, in any stored form, and periods by their first day, in any notation.
 * Two exact numbers must be equal, unless a tolerance is set.
 */
export function isSameValue(a: ComparedValue, b: ComparedValue, tolerance = 0): boolean {
  if (a.value === null || b.value === null) return a.value === b.value;
  const [left, right] = [toScalar(a.value), toScalar(b.value)];
  const asNumbers = a.isNumeric || b.isNumeric || typeof left === "number" || typeof right === "number";
  if (asNumbers && isNumeral(left) && isNumeral(right)) return isSameNumber(left, right, tolerance);
  const [one, other] = [String(left), String(right)];
  return one === other || isSamePeriod(one, other);
}

/** Defines the order for comparing rows, in which equal values are next to each other. */
export function compareValues({ value: a }: ComparedValue, { value: b }: ComparedValue): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1;
  const [left, right] = [toScalar(a), toScalar(b)];
  if (isNumeral(left) && isNumeral(right)) return Number(left) - Number(right);
  const [one, other] = [firstDay(String(left)), firstDay(String(right))];
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Converts booleans to 0 and 1, which engines without booleans return. */
function toScalar(value: Exclude<CellValue, null>): string | number {
  if (typeof value === "boolean") return Number(value);
  return typeof value === "object" ? JSON.stringify(value) : value;
}

function isNumeral(value: string | number): boolean {
  return typeof value === "number" || numeral.test(value);
}

function isSameNumber(a: string | number, b: string | number, tolerance: number): boolean {
  if (isExact(a) && isExact(b) && tolerance === 0) return normalised(a) === normalised(b);
  const [left, right] = [Number(a), Number(b)];
  const allowed = tolerance * (1 + relativeError);
  return Math.abs(left - right) <= Math.max(allowed, relativeError * Math.max(Math.abs(left), Math.abs(right)));
}

/** Whether a number is exact. Decimals and big integers are strings. A JSON number with a fraction is a float. */
function isExact(value: string | number): boolean {
  return typeof value === "string" || Number.isSafeInteger(value);
}

/** Removes insignificant zeros: `012.50` becomes `12.5`. */
function normalised(value: string | number): string {
  const text = String(value).replace(/^\+/, "");
  const [whole = "", fraction = ""] = text.replace("-", "").split(".");
  const digits = `${whole.replace(/^0+(?=\d)/, "")}.${fraction.replace(/0+$/, "")}`.replace(/\.$/, "");
  return text.startsWith("-") && digits !== "0" ? `-${digits}` : digits;
}

function isSamePeriod(a: string, b: string): boolean {
  const [left, right] = [firstDay(a), firstDay(b)];
  return left === right && isoDay.test(left);
}

const isoDay = /^\d{4}-\d{2}-\d{2}/;

/** Returns the first day of a month or year, and the day of a midnight. Returns other strings unchanged. */
function firstDay(text: string): string {
  if (/^\d{4}$/.test(text)) return `${text}-01-01`;
  if (/^\d{4}-\d{2}$/.test(text)) return `${text}-01`;
  const instant = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.0+)?(?:Z|\+00:?00)?$/.exec(text);
  if (instant === null) return text;
  const [, day = "", time = ""] = instant;
  const full = time.length === 5 ? `${time}:00` : time;
  return full === "00:00:00" ? day : `${day} ${full}`;
}
