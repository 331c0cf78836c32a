import { z } from "zod";
import type { ValueType } from "../../../port/structure.ts";

/** A column, or a field of a STRUCT, as the API describes it. */
export interface BigQueryField {
  readonly name: string;
  readonly type: string;
  readonly mode?: string | undefined;
  readonly description?: string | undefined;
  readonly fields?: readonly BigQueryField[] | undefined;
  readonly precision?: string | undefined;
  readonly scale?: string | undefined;
  readonly maxLength?: string | undefined;
  readonly rangeElementType?: { readonly type: string } | undefined;
}

export const fieldSchema: z.ZodType<BigQueryField> = z.object({
  name: z.string().default(""),
  type: z.string(),
  mode: z.string().optional(),
  description: z.string().optional(),
  precision: z.string().optional(),
  scale: z.string().optional(),
  maxLength: z.string().optional(),
  rangeElementType: z.object({ type: z.string() }).optional(),
  get fields() {
    return z.array(fieldSchema).optional();
  },
});

/** The SQL names of types, by their API names. */
const sqlNames: ReadonlyMap<string, string> = new Map([
  ["INTEGER", "INT64"],
  ["FLOAT", "FLOAT64"],
  ["BOOLEAN", "BOOL"],
  ["RECORD", "STRUCT"],
]);

const types: ReadonlyMap<string, ValueType> = new Map([
  ["INT64", "integer"],
  ["FLOAT64", "float"],
  ["NUMERIC", "decimal"],
  ["BIGNUMERIC", "decimal"],
  ["BOOL", "boolean"],
  ["STRING", "text"],
  ["BYTES", "bytes"],
  ["DATE", "date"],
  ["TIME", "time"],
  ["DATETIME", "timestamp"],
  ["TIMESTAMP", "timestamptz"],
  ["INTERVAL", "interval"],
  ["JSON", "json"],
  ["STRUCT", "json"],
]);

/** Returns the SQL name of a field's type, without parameters. */
function typeName({ type }: Pick<BigQueryField, "type">): string {
  return sqlNames.get(type) ?? type;
}

export function isRepeated({ mode }: BigQueryField): boolean {
  return mode === "REPEATED";
}

export function fieldTypeOf(field: BigQueryField): ValueType {
  return isRepeated(field) ? "array" : elementTypeOf(field);
}

/** Returns the type of a single value, which differs from the field's type if the field is an array. */
export function elementTypeOf(field: BigQueryField): ValueType {
  return types.get(typeName(field)) ?? "other";
}

/** Returns a field's type in SQL, for example `NUMERIC(12, 2)` or `ARRAY<STRUCT<a INT64, b STRING>>`. */
export function sqlTypeOf(field: BigQueryField): string {
  const element = plainType(field);
  return isRepeated(field) ? `ARRAY<${element}>` : element;
}

function plainType(field: BigQueryField): string {
  const name = typeName(field);
  if (name === "STRUCT")
    return `STRUCT<${(field.fields ?? []).map((each) => `${each.name} ${sqlTypeOf(each)}`).join(", ")}>`;
  if (name === "RANGE") return `RANGE<${field.rangeElementType?.type ?? "DATE"}>`;
  const lengths = [field.precision ?? field.maxLength, field.scale].filter((each) => each !== undefined);
  return lengths.length === 0 ? name : `${name}(${lengths.join(", ")})`;
}
