import type { ResultColumn, WarehouseRow, WarehouseValue } from "../../../port/values.ts";
import type { SnowflakeColumn, SnowflakeRow } from "../session/answers.ts";
import { snowflakeNativeType, snowflakeValueType } from "./value-types.ts";

export function snowflakeColumn(column: SnowflakeColumn): ResultColumn {
  return { name: column.name, type: snowflakeValueType(column), nativeType: snowflakeNativeType(column) };
}

/** Converts a row, whose values are all strings, to warehouse values. */
export function convertSnowflakeRow(row: SnowflakeRow, columns: readonly ResultColumn[]): WarehouseRow {
  return columns.map(({ type }, index) => convertValue(row[index] ?? null, type));
}

function convertValue(value: string | null, type: ResultColumn["type"]): WarehouseValue {
  if (value === null) return null;
  switch (type) {
    case "boolean":
      return value === "true" || value === "1";
    case "integer":
      return BigInt(value);
    case "decimal":
      return writePlain(value);
    case "float":
      return floatOf(value);
    case "date":
      return isoTime(BigInt(value) * 86_400n).slice(0, -9);
    case "time":
      return momentOf(value).split("T")[1] ?? "";
    case "timestamp":
      return momentOf(value);
    case "timestamptz":
      // The number after the seconds is the offset of the value's zone. The seconds are in UTC.
      return `${momentOf(value.split(" ")[0] ?? value)}Z`;
    case "bytes":
      return new Uint8Array(Buffer.from(value, "hex"));
    case "json":
      return withoutLayout(value);
    default:
      return value;
  }
}

function floatOf(text: string): number {
  if (/^nan$/i.test(text)) return Number.NaN;
  if (/inf/i.test(text)) return text.startsWith("-") ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return Number(text);
}

/** Writes a number without an exponent: `1.5e3` becomes `1500`. Only a DECFLOAT has one. */
function writePlain(text: string): string {
  const [, sign = "", whole = "", fraction = "", exponent] = /^(-?)(\d*)\.?(\d*)[eE]([+-]?\d+)$/.exec(text) ?? [];
  if (exponent === undefined) return text;
  const point = whole.length + Number(exponent);
  const digits = whole + fraction;
  const padded = point <= 0 ? "0".repeat(1 - point) + digits : digits.padEnd(point, "0");
  const at = Math.max(1, point);
  const rest = padded.slice(at).replace(/0+$/, "");
  const plain = padded.slice(0, at).replace(/^0+(?=\d)/, "");
  return `${sign}${plain}${rest === "" ? "" : `.${rest}`}`;
}

/** Converts seconds since 1970 with a fraction, such as `1611871577.123000000`, to a time such as `2021-01-28T22:06:17.123`. */
function momentOf(text: string): string {
  const [, sign = "", whole = "0", fraction = ""] = /^(-?)(\d+)(?:\.(\d*))?$/.exec(text) ?? [];
  const nanoseconds = BigInt(`${sign}${whole}${fraction.padEnd(9, "0").slice(0, 9)}`);
  const rest = ((nanoseconds % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
  const digits = String(rest).padStart(9, "0").replace(/0+$/, "");
  return `${isoTime((nanoseconds - rest) / 1_000_000_000n)}${digits === "" ? "" : `.${digits}`}`;
}

function isoTime(seconds: bigint): string {
  return new Date(Number(seconds) * 1_000).toISOString().slice(0, -5);
}

/** Removes the white space between the parts of a JSON text, because that space depends on a user setting. */
function withoutLayout(json: string): string {
  return json.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, (_, text: string | undefined) => text ?? "");
}
