/** Converts values of DuckDB's driver to warehouse values. */
import type { DuckDBType, DuckDBValue } from "@duckdb/node-api";
import type { WarehouseValue } from "../../../port/values.ts";
import type { DuckDbDriver } from "../driver.ts";
import { formatDate, formatTime, formatTimestamp, formatZoneOffset } from "./format-time.ts";
import { duckdbTypeOf } from "./value-types.ts";

/** Converts a value that is not null. */
export type ConvertValue = (value: DuckDBValue) => WarehouseValue;

/** Returns the type as DuckDB writes it. The driver reports JSON as a VARCHAR with an alias. */
export function nativeTypeOf(type: DuckDBType): string {
  return type.alias?.toUpperCase() === "JSON" ? "JSON" : type.toString();
}

/**
 * Chooses how the values of a type are converted. Each loaded driver has its own converter, because values are recognised by the driver's
 * classes.
 */
export class ValueConverter {
  readonly #driver: DuckDbDriver;

  constructor(driver: DuckDbDriver) {
    this.#driver = driver;
  }

  converterOf(type: DuckDBType): ConvertValue {
    const native = nativeTypeOf(type);
    switch (duckdbTypeOf(native)) {
      case "integer":
        return toBigInt;
      case "decimal":
        return (value) => (value instanceof this.#driver.DuckDBDecimalValue ? formatDecimal(value) : String(value));
      case "bytes":
        return (value) => (value instanceof this.#driver.DuckDBBlobValue ? new Uint8Array(value.bytes) : String(value));
      case "array":
        return this.#arrayConverter(type);
      case "json":
        return native === "JSON" ? String : (value) => this.#toJson(value, type);
      case "boolean":
      case "float":
      case "text":
        return keep;
      default:
        return this.#timeConverter();
    }
  }

  #timeConverter(): ConvertValue {
    const d = this.#driver;
    return (value) => {
      if (value instanceof d.DuckDBTimestampValue) return formatTimestamp(value.micros, 6);
      if (value instanceof d.DuckDBDateValue) return formatDate(value.days);
      if (value instanceof d.DuckDBTimestampTZValue) return withZone(formatTimestamp(value.micros, 6));
      if (value instanceof d.DuckDBTimeValue) return formatTime(value.micros, 6);
      if (value instanceof d.DuckDBTimestampNanosecondsValue) return formatTimestamp(value.nanos, 9);
      if (value instanceof d.DuckDBTimestampMillisecondsValue) return formatTimestamp(value.millis, 3);
      if (value instanceof d.DuckDBTimestampSecondsValue) return formatTimestamp(value.seconds, 0);
      if (value instanceof d.DuckDBTimeNSValue) return formatTime(value.nanos, 9);
      if (value instanceof d.DuckDBTimeTZValue) return formatTime(value.micros, 6) + formatZoneOffset(value.offset);
      return String(value);
    };
  }

  #arrayConverter(type: DuckDBType): ConvertValue {
    const d = this.#driver;
    if (!(type instanceof d.DuckDBListType || type instanceof d.DuckDBArrayType)) return String;
    const convert = this.converterOf(type.valueType);
    return (value) =>
      value instanceof d.DuckDBListValue || value instanceof d.DuckDBArrayValue
        ? value.items.map((item) => (item === null ? null : convert(item)))
        : String(value);
  }

  /** Writes a value as JSON whose numbers keep all of their digits. */
  #toJson(value: DuckDBValue, type: DuckDBType): string {
    const d = this.#driver;
    if (value === null) return "null";
    if (value instanceof d.DuckDBStructValue && type instanceof d.DuckDBStructType)
      return writeObject(
        type.entryNames.map((name, index) => [
          name,
          this.#toJson(value.entries[name] ?? null, entryOf(type.entryTypes, index)),
        ]),
      );
    if (value instanceof d.DuckDBMapValue && type instanceof d.DuckDBMapType)
      return writeObject(
        value.entries.map((entry) => [this.#toKey(entry.key, type.keyType), this.#toJson(entry.value, type.valueType)]),
      );
    if (value instanceof d.DuckDBUnionValue && type instanceof d.DuckDBUnionType)
      return writeObject([[value.tag, this.#toJson(value.value, type.memberTypeForTag(value.tag))]]);
    if (value instanceof d.DuckDBVariantValue)
      return value.type === undefined ? writeJson(value.value, "other") : this.#toJson(value.value, value.type);
    if (value instanceof d.DuckDBListValue || value instanceof d.DuckDBArrayValue) {
      const itemType = type instanceof d.DuckDBListType || type instanceof d.DuckDBArrayType ? type.valueType : type;
      return `[${value.items.map((item) => this.#toJson(item, itemType)).join(",")}]`;
    }
    return writeJson(this.converterOf(type)(value), duckdbTypeOf(nativeTypeOf(type)));
  }

  #toKey(key: DuckDBValue, type: DuckDBType): string {
    const text = this.#toJson(key, type);
    return typeof key === "string" ? key : text.replace(/^"(.*)"$/s, "$1");
  }
}

function entryOf(types: readonly DuckDBType[], index: number): DuckDBType {
  const type = types[index];
  if (type === undefined) throw new Error(`a STRUCT has no type for its field ${index}`);
  return type;
}

function keep(value: DuckDBValue): WarehouseValue {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : String(value);
}

function toBigInt(value: DuckDBValue): WarehouseValue {
  return typeof value === "number" ? BigInt(value) : typeof value === "bigint" ? value : String(value);
}

/** Writes a decimal with all digits of its scale, as DuckDB prints it. */
function formatDecimal({ value, scale }: { readonly value: bigint; readonly scale: number }): string {
  if (scale === 0) return String(value);
  const negative = value < 0n;
  const digits = String(negative ? -value : value).padStart(scale + 1, "0");
  return `${negative ? "-" : ""}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** Adds the zone to a timestamp. Infinite timestamps have none. */
function withZone(text: string): string {
  return text.endsWith("infinity") ? text : `${text}Z`;
}

function writeObject(entries: readonly (readonly [string, string])[]): string {
  return `{${entries.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(",")}}`;
}

function writeJson(value: unknown, type: string): string {
  if (typeof value === "bigint" || typeof value === "boolean") return String(value);
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : JSON.stringify(String(value));
  if (value instanceof Uint8Array) return JSON.stringify(Buffer.from(value).toString("base64"));
  if (type === "decimal" || type === "json") return String(value);
  return JSON.stringify(String(value));
}
