import type { ValueType } from "../port/structure.ts";
import type { WarehouseRow, WarehouseValue } from "../port/values.ts";
import type { QueryResult } from "../warehouse/warehouse.ts";

/** A value as JSON, without loss: a value that JSON would round is a string. */
export type StructuredValue = null | boolean | number | string | readonly StructuredValue[];

/** A result in a form for programs. */
export interface StructuredRows {
  readonly columns: readonly { readonly name: string; readonly type: ValueType }[];
  /** One list of values for each row, in the order of the columns. */
  readonly rows: readonly (readonly StructuredValue[])[];
}

/**
 * Returns the rows of a result as JSON. Whole numbers beyond 2^53, decimals, `NaN` and `Infinity` become strings, and bytes become Base64.
 *
 * @example structureRows(result).rows // [[1, "12.50", null]]
 */
export function structureRows({ columns, rows }: Pick<QueryResult, "columns" | "rows">): StructuredRows {
  return {
    columns: columns.map(({ name, type }) => ({ name, type })),
    rows: rows.map((row: WarehouseRow) => row.map(toStructured)),
  };
}

function toStructured(value: WarehouseValue): StructuredValue {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  return value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value.map(toStructured);
}
