import { InvalidRequestError } from "@bridle/protocol";
import type { TableName } from "../../../port/structure.ts";
import type { WarehouseRow } from "../../../port/values.ts";
import { snowflakeDialect } from "../dialect/snowflake-dialect.ts";
import type { AskCatalog, NamedRows } from "./named-rows.ts";
import { snowflakeTableKind } from "./structure.ts";

/** Columns that identify kinds of tables that have no change marker. */
const otherKinds = ["IS_DYNAMIC", "IS_HYBRID", "IS_ICEBERG"];

/**
 * Returns a change marker for each table: its size and the time of its last change. Snowflake's own maintenance also changes this time.
 * Views, external, dynamic, hybrid and Iceberg tables have no marker.
 */
export async function readSnowflakeMarks(
  ask: AskCatalog,
  database: string,
  tables: readonly TableName[],
): Promise<readonly (string | undefined)[]> {
  if (tables.length === 0) return [];
  const { quoteIdentifier, quoteText } = snowflakeDialect;
  const schemas = [...new Set(tables.map(({ schema }) => quoteText(schema)))].join(", ");
  // Selects all columns, because some of them do not exist everywhere yet.
  const sql = `SELECT * FROM ${quoteIdentifier(database)}.INFORMATION_SCHEMA.TABLES WHERE TABLE_TYPE = '${snowflakeTableKind}' AND TABLE_SCHEMA IN (${schemas})`;
  try {
    const rows = await ask(sql);
    const marks = new Map(rows.all().map((row) => [placeOf(rows, row), markOf(rows, row)]));
    return tables.map(({ schema, table }) => marks.get(JSON.stringify([schema, table])));
  } catch (error) {
    if (error instanceof InvalidRequestError) return tables.map(() => undefined);
    throw error;
  }
}

function placeOf(rows: NamedRows, row: WarehouseRow): string {
  return JSON.stringify([rows.text(row, "TABLE_SCHEMA"), rows.text(row, "TABLE_NAME")]);
}

function markOf(rows: NamedRows, row: WarehouseRow): string | undefined {
  const changed = rows.text(row, "LAST_ALTERED");
  if (changed === undefined || otherKinds.some((name) => rows.text(row, name) === "YES")) return undefined;
  return [changed, rows.text(row, "ROW_COUNT"), rows.text(row, "BYTES")].join(" ");
}
