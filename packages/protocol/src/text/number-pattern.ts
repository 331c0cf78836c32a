/** A number pattern as in spreadsheets, such as `#,##0.00 EUR` or `0.0%`. */
export interface NumberPattern {
  readonly prefix: string;
  readonly suffix: string;
  /** The number of digits after the point. */
  readonly digits: number;
  /** Whether thousands are separated. */
  readonly isGrouped: boolean;
  /** Whether the number is multiplied by 100. */
  readonly isPercent: boolean;
}

/**
 * Reads a pattern. Returns undefined for an unknown pattern. A known pattern has one number, with zeros as decimals, between strings
 * without digits.
 */
export function readNumberPattern(pattern: string): NumberPattern | undefined {
  const found = /^([^\d#,.%]{0,12})(#,##)?0(?:\.(0{1,10}))?(%?)([^\d#,.%]{0,12})$/.exec(pattern.trim());
  if (found === null) return undefined;
  const [, prefix = "", group, zeros = "", percent = "", suffix = ""] = found;
  const digits = zeros.length;
  return { prefix, suffix: percent + suffix, digits, isGrouped: group !== undefined, isPercent: percent !== "" };
}

/** Formats a number, or a decimal in a string, with all of its digits. Returns undefined for other values. */
export function formatByPattern(
  value: unknown,
  { prefix, suffix, digits, isGrouped, isPercent }: NumberPattern,
): string | undefined {
  const text = typeof value === "number" ? decimalText(value) : typeof value === "string" ? value : "";
  const found = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (found === null) return undefined;
  const [, sign = "", whole = "", fraction = ""] = found;
  const shift = isPercent ? 2 : 0;
  const all = fraction.padEnd(digits + shift + 1, "0");
  const kept = digits + shift;
  const scaled = BigInt(whole + all.slice(0, kept)) + (Number(all[kept]) >= 5 ? 1n : 0n);
  const padded = scaled.toString().padStart(digits + 1, "0");
  const [integer, decimals] = [padded.slice(0, padded.length - digits), padded.slice(padded.length - digits)];
  const shown = isGrouped ? integer.replaceAll(/\B(?=(?:\d{3})+$)/g, ",") : integer;
  const minus = scaled === 0n ? "" : sign;
  return `${minus}${prefix}${shown}${digits === 0 ? "" : `.${decimals}`}${suffix}`;
}

/** Writes a number without an exponent. Returns an empty string if it is not finite. */
function decimalText(value: number): string {
  if (!Number.isFinite(value)) return "";
  const text = String(value);
  return text.includes("e") ? value.toFixed(20) : text;
}
