import type { RowStream } from "../port/connector.ts";
import type { ResultColumn, WarehouseRow, WarehouseValue } from "../port/values.ts";
import { redactSensitive } from "../sensitive/redact-values.ts";
import type { QueryResult } from "./warehouse.ts";

export interface ReadingRules {
  /** The key for the digests. An engine may show it in a column name or in a plan. */
  readonly key: string;
  /** Whether single sensitive values within strings are replaced. */
  readonly isSearched: boolean;
}

/** Reads all rows of a statement. Neither the rows nor the column names contain the key for the digests. */
export async function readRows(
  stream: RowStream,
  { key, isSearched }: ReadingRules,
): Promise<Pick<QueryResult, "columns" | "rows" | "truncated">> {
  const clean = (text: string) => {
    const withoutKey = text.replaceAll(key, "[key]");
    return isSearched ? redactSensitive(withoutKey) : withoutKey;
  };
  const columns = await stream.columns();
  const rows: WarehouseRow[] = [];
  for await (const batch of stream) for (const row of batch) rows.push(row.map((value) => mapTexts(value, clean)));
  return { columns: columns.map((column, index) => withoutKey(column, index, key)), rows, truncated: stream.truncated };
}

/**
 * Removes the key from a column's name. An engine may name a column after its expression, in the form in which the statement was sent, with
 * the key.
 */
function withoutKey(column: ResultColumn, index: number, key: string): ResultColumn {
  return column.name.includes(key) ? { ...column, name: `column_${index + 1}` } : column;
}

function mapTexts(value: WarehouseValue, change: (text: string) => string): WarehouseValue {
  if (typeof value === "string") return change(value);
  return Array.isArray(value) ? value.map((item: WarehouseValue) => mapTexts(item, change)) : value;
}
