import { z } from "zod";
import type { ColumnStructure, TableStructure, WarehouseStructure } from "../../../port/structure.ts";
import type { SendQuery } from "../../../sessions/session-queries.ts";
import { clickhouseDialect } from "../dialect/clickhouse-dialect.ts";
import { clickhouseValueType, isNullable } from "../values/value-types.ts";
import { ShownByEngines } from "./shown-by-engines.ts";

const text = z.string();
const tableRow = z.tuple([text, text, text, text, z.bigint().nullable(), text, text, text]);
const columnRow = z.tuple([text, text, text, text, text]);

function within(schemas: readonly string[] | undefined): string {
  const user = "database NOT IN ('system', 'information_schema', 'INFORMATION_SCHEMA')";
  if (schemas === undefined) return user;
  if (schemas.length === 0) return "1 = 0";
  return `${user} AND database IN (${schemas.map(clickhouseDialect.quoteText).join(", ")})`;
}

/**
 * Reads the structure in two queries, regardless of the number of tables. In ClickHouse, a primary key orders rows and may have duplicates,
 * so it is not reported as a key.
 */
export async function readClickHouseStructure(
  send: SendQuery,
  schemas: readonly string[] | undefined,
): Promise<WarehouseStructure> {
  const rows = await send(
    `SELECT database, name, engine, comment, total_rows, engine_full, as_select, create_table_query FROM system.tables WHERE ${within(schemas)} AND NOT is_temporary AND NOT startsWith(name, '.inner') ORDER BY database, name`,
  );
  const columnRows = await send(
    `SELECT database, table, name, type, comment FROM system.columns WHERE ${within(schemas)} AND default_kind != 'EPHEMERAL' ORDER BY database, table, position`,
  );
  const columns = Map.groupBy(
    columnRows.map((row) => columnRow.parse(row)),
    ([schema, table]) => JSON.stringify([schema, table]),
  );
  const tables = rows.map((row) => tableRow.parse(row));
  const shown = new ShownByEngines(tables.map(([schema, table]) => ({ schema, table })));
  const reads = await Promise.all(
    tables.map(([schema, table, engine, , , engineFull, select, definition]) =>
      shown.of({ schema, table, engine, engineFull, select, definition }),
    ),
  );
  return {
    tables: tables.map(([schema, table, engine, comment, count], at): TableStructure => {
      return {
        schema,
        table,
        kind: /View$/.test(engine) ? "view" : "table",
        reads: reads[at],
        columns: (columns.get(JSON.stringify([schema, table])) ?? []).map(columnOf),
        primaryKey: [],
        uniqueKeys: [],
        foreignKeys: [],
        comment: comment || undefined,
        estimatedRows: count === null ? undefined : Number(count),
      };
    }),
    problems: [],
  };
}

function columnOf([, , name, nativeType, comment]: z.output<typeof columnRow>): ColumnStructure {
  return {
    name,
    type: clickhouseValueType(nativeType),
    nativeType,
    nullable: isNullable(nativeType),
    comment: comment || undefined,
  };
}
