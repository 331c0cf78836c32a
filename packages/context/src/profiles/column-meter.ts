import { type ColumnStructure, redactSensitive, type ValueType, type WarehouseValue } from "@bridle/warehouse";
import type { ValueProfile } from "../facts/facts.ts";
import type { ColumnProfile } from "../joins/profile.ts";
import { canonicalValue, emptySketch, hashValue, shortHash, sketchSize } from "../joins/sketch.ts";
import { shapeOf } from "./shape-of.ts";
import { ValueCounter } from "./value-counter.ts";
import { hasPlace, isLess } from "./value-order.ts";

/**
 * The number of different values that are kept as strings when they first appear. Later values are kept only when they have become
 * frequent.
 */
const keptTexts = 1_000;
const frequentRows = 16;
const mostFrequent = 10;

/** The number of characters of a string that are shown, and that are searched for sensitive values. */
const shownChars = 100;
const readChars = 2_000;

const maxShapes = 200;
const shownShapes = 5;

/** Types whose values, as text, have meaningful shapes. */
const shaped: readonly ValueType[] = ["text", "uuid", "other"];
const unordered: readonly ValueType[] = ["json", "array", "bytes", "interval", "other"];

/** Measures the values of one column, row by row. The memory does not depend on the length of the values. */
export class ColumnMeter {
  readonly column: ColumnStructure;
  readonly #counter = new ValueCounter();
  readonly #texts = new Map<number, string>();
  readonly #shapes = new Map<string, number>();
  #shapeNumbers = new Uint8Array(64);
  #nulls = 0;
  #blanks = 0;
  #length = 0;
  #numbers = true;
  #integers = true;
  #sameLength: number | undefined;
  #lengthsDiffer = false;
  #undated = 0;
  #least = Number.POSITIVE_INFINITY;
  #greatest = Number.NEGATIVE_INFINITY;
  #min: WarehouseValue = null;
  #max: WarehouseValue = null;

  constructor(column: ColumnStructure) {
    this.column = column;
  }

  /** The number of different values. */
  get distinct(): number {
    return this.#counter.size;
  }

  /** Measures a value. Returns the number of the value plus one, or 0 if it is missing or blank. */
  add(value: WarehouseValue): number {
    if (value === null) {
      this.#nulls++;
      return 0;
    }
    const text = canonicalValue(Array.isArray(value) ? writeArray(value) : value);
    if (text === undefined) {
      this.#blanks++;
      return 0;
    }
    this.#length += text.length;
    const before = this.#counter.size;
    const number = this.#counter.add(hashValue(text));
    if (number === before) this.#meet(number, text, value);
    else if (this.#counter.count(number) === frequentRows) this.#keep(number, value);
    return number + 1;
  }

  /** Returns the hash of the value with this number. */
  hash(number: number): number {
    return this.#counter.hash(number);
  }

  /** Returns some of the values as strings, to recognize sensitive values. Do not store these strings. */
  someTexts(): readonly string[] {
    return [...this.#texts.values()];
  }

  /** Returns the stored and displayed profile. The profile of a sensitive column contains no values. */
  valueProfile(rows: number, sensitive: boolean): ValueProfile {
    const ordered = !sensitive && !unordered.includes(this.column.type);
    return {
      rows,
      nulls: this.#nulls,
      distinct: this.#counter.size + (this.#blanks > 0 ? 1 : 0),
      ...(ordered && this.#min !== null ? { min: show(String(this.#min)), max: show(String(this.#max)) } : {}),
      shapes: this.#countShapes(),
      frequent: sensitive ? [] : this.#findFrequent(),
    };
  }

  /** Returns the profile for the join search. A sensitive column has an empty sketch. */
  joinProfile(rows: number, sensitive: boolean): ColumnProfile {
    const { name, nativeType } = this.column;
    const distinct = this.#counter.size;
    const some = distinct > 0;
    const filled = rows - this.#nulls - this.#blanks;
    const numbers = some && this.#numbers;
    return {
      name,
      type: nativeType,
      filled,
      distinct,
      numbers,
      integers: some && this.#integers,
      dates: (some && this.#undated === 0) || /date|time/i.test(nativeType),
      range: numbers && !sensitive ? [this.#least, this.#greatest] : undefined,
      meanLength: filled === 0 ? 0 : this.#length / filled,
      sameLength: some && !this.#lengthsDiffer,
      sketch: sensitive ? emptySketch : this.#sketch(),
      ...(sensitive ? { hidden: true } : {}),
    };
  }

  /** Measures a value that appears for the first time. */
  #meet(number: number, text: string, value: WarehouseValue): void {
    if (number < keptTexts) this.#keep(number, value);
    if (this.#integers && !/^-?\d+$/.test(text)) this.#integers = false;
    if (this.#numbers && !this.#integers && !/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text)) this.#numbers = false;
    if (this.#numbers) {
      const measured = Number(text);
      this.#least = Math.min(this.#least, measured);
      this.#greatest = Math.max(this.#greatest, measured);
    }
    this.#sameLength ??= text.length;
    if (this.#sameLength !== text.length) this.#lengthsDiffer = true;
    if (number < 20 && !/^\d{4}-\d\d-\d\d/.test(text)) this.#undated++;
    if (hasPlace(value, this.column.type)) this.#order(value);
    if (shaped.includes(this.column.type)) this.#meetShape(number, String(value));
  }

  #order(value: WarehouseValue): void {
    const { type } = this.column;
    if (this.#min === null || isLess(value, this.#min, type)) this.#min = shorten(value);
    if (this.#max === null || isLess(this.#max, value, type)) this.#max = shorten(value);
  }

  #meetShape(number: number, text: string): void {
    const shape = shapeOf(text);
    let id = this.#shapes.get(shape);
    if (id === undefined && this.#shapes.size < maxShapes) {
      id = this.#shapes.size + 1;
      this.#shapes.set(shape, id);
    }
    if (number >= this.#shapeNumbers.length) {
      const longer = new Uint8Array(2 * this.#shapeNumbers.length);
      longer.set(this.#shapeNumbers);
      this.#shapeNumbers = longer;
    }
    this.#shapeNumbers[number] = id ?? 0;
  }

  #keep(number: number, value: WarehouseValue): void {
    if (!this.#texts.has(number))
      this.#texts.set(number, cut(Array.isArray(value) ? writeArray(value) : String(value)));
  }

  #countShapes(): ValueProfile["shapes"] {
    if (this.#shapes.size === 0) return [];
    const rows = new Float64Array(this.#shapes.size + 1);
    for (let number = 0; number < this.#counter.size; number++) {
      const id = this.#shapeNumbers[number] ?? 0;
      rows[id] = (rows[id] ?? 0) + this.#counter.count(number);
    }
    return [...this.#shapes]
      .map(([shape, id]) => ({ shape, rows: rows[id] ?? 0 }))
      .sort((a, b) => b.rows - a.rows || compareTexts(a.shape, b.shape))
      .slice(0, shownShapes);
  }

  #findFrequent(): ValueProfile["frequent"] {
    if (this.column.type === "bytes") return [];
    const found = [...this.#texts].map(([number, value]) => ({ value, rows: this.#counter.count(number) }));
    return found
      .filter(({ rows }) => rows > 1)
      .sort((a, b) => b.rows - a.rows || compareTexts(a.value, b.value))
      .slice(0, mostFrequent)
      .map(({ value, rows }) => ({ value: show(value), rows }));
  }

  #sketch(): ColumnProfile["sketch"] {
    const kept = this.#counter.byHash().subarray(0, sketchSize);
    return {
      hashes: Uint32Array.from(kept, (number) => shortHash(this.#counter.hash(number))),
      counts: Uint32Array.from(kept, (number) => this.#counter.count(number)),
      complete: this.#counter.size <= sketchSize,
    };
  }
}

function shorten(value: WarehouseValue): WarehouseValue {
  return typeof value === "string" ? cut(value) : value;
}

/** Returns the beginning as a copy, so that the rest of a long string does not stay in memory. */
function cut(text: string): string {
  return text.length <= readChars ? text : Buffer.from(text.slice(0, readChars)).toString();
}

/** Returns the string to show, without sensitive values. Columns that are not sensitive as a whole may contain such values. */
function show(text: string): string {
  const redacted = redactSensitive(text);
  return redacted.length <= shownChars ? redacted : `${redacted.slice(0, shownChars)}…`;
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function writeArray(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? String(part) : part));
}
