/** Reads a database's types, by their numbers (OIDs). */
import { z } from "zod";
import type { ValueType } from "../../../port/structure.ts";
import { type ParseValue, parseArray } from "./arrays.ts";
import { isoDate, isoTimestamp, isoTimestamptz } from "./times.ts";

const rowSchema = z.object({
  oid: z.coerce.number(),
  /** Empty for user-defined types, so that none is mistaken for one of PostgreSQL's types. */
  name: z.string(),
  shown: z.string(),
  kind: z.string(),
  base: z.coerce.number(),
  element: z.coerce.number(),
  delimiter: z.string(),
});
type TypeRow = z.output<typeof rowSchema>;

/** Selects types, without the row types of tables, because every table has one. */
export const typeQuery = `
SELECT t.oid::text AS oid,
  CASE WHEN t.typnamespace = 'pg_catalog'::pg_catalog.regnamespace OR t.typname = 'citext' THEN t.typname ELSE '' END AS name,
  pg_catalog.format_type(t.oid, NULL) AS shown, t.typtype::text AS kind, t.typbasetype::oid::text AS base,
  coalesce(e.oid, 0)::oid::text AS element, t.typdelim::text AS delimiter
FROM pg_catalog.pg_type t LEFT JOIN pg_catalog.pg_class c ON c.oid = t.typrelid
  LEFT JOIN pg_catalog.pg_type e ON e.typarray = t.oid
WHERE c.oid IS NULL OR c.relkind = 'c'`;

/** A PostgreSQL type's value type, and the function that parses its values. */
export interface KnownType {
  readonly type: ValueType;
  readonly parse: ParseValue;
}

const asText: ParseValue = (text) => text;
const textType: KnownType = { type: "text", parse: asText };
const otherType: KnownType = { type: "other", parse: asText };
const integer: KnownType = { type: "integer", parse: BigInt };
const float: KnownType = { type: "float", parse: Number };

const types: Readonly<Record<string, KnownType>> = {
  bool: { type: "boolean", parse: (text) => text === "t" },
  int2: integer,
  int4: integer,
  int8: integer,
  oid: integer,
  numeric: { type: "decimal", parse: asText },
  float4: float,
  float8: float,
  text: textType,
  varchar: textType,
  bpchar: textType,
  char: textType,
  name: textType,
  citext: textType,
  date: { type: "date", parse: isoDate },
  time: { type: "time", parse: asText },
  timestamp: { type: "timestamp", parse: isoTimestamp },
  timestamptz: { type: "timestamptz", parse: isoTimestamptz },
  interval: { type: "interval", parse: asText },
  uuid: { type: "uuid", parse: asText },
  json: { type: "json", parse: asText },
  jsonb: { type: "json", parse: asText },
  bytea: { type: "bytes", parse: (text) => new Uint8Array(Buffer.from(text.slice(2), "hex")) },
};

export class TypeCatalog {
  readonly #rows: ReadonlyMap<number, TypeRow>;
  readonly #known = new Map<number, KnownType>();

  constructor(rows: readonly unknown[]) {
    this.#rows = new Map(rows.map((row) => rowSchema.parse(row)).map((row) => [row.oid, row]));
  }

  has(oid: number): boolean {
    return this.#rows.has(oid);
  }

  find(oid: number): KnownType {
    const known = this.#known.get(oid) ?? this.#make(oid);
    this.#known.set(oid, known);
    return known;
  }

  /** Returns the type as PostgreSQL writes it, such as `numeric(12,2)`. */
  format(oid: number, modifier: number): string {
    const row = this.#rows.get(oid);
    if (row === undefined) return "unknown";
    if (row.element !== 0 && modifier >= 0) return `${this.format(row.element, modifier)}[]`;
    return modifier < 0 ? row.shown : withModifier(row, modifier);
  }

  #make(oid: number): KnownType {
    const row = this.#rows.get(oid);
    if (row === undefined) return otherType;
    if (row.base !== 0) return this.find(row.base);
    if (row.kind === "e") return textType;
    if (row.element === 0) return types[row.name] ?? otherType;
    const element = this.find(row.element);
    return { type: "array", parse: (text) => parseArray(text, element.parse, row.delimiter) };
  }
}

/** Writes one of PostgreSQL's own types with its modifier, as `format_type` does. */
function withModifier({ name, shown }: TypeRow, modifier: number): string {
  if (name === "numeric") {
    const scale = (modifier - 4) & 0x7ff;
    return `numeric(${((modifier - 4) >> 16) & 0xffff},${scale > 1023 ? scale - 2048 : scale})`;
  }
  if (name === "varchar" || name === "bpchar") return `${shown}(${modifier - 4})`;
  if (name === "bit" || name === "varbit") return `${shown}(${modifier})`;
  if (/^time/.test(name)) return shown.replace(/^(timestamp|time)/, `$1(${modifier})`);
  return shown;
}
