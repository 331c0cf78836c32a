import { z } from "zod";
import type { ColumnStructure, TableStructure, WarehouseStructure } from "../../../port/structure.ts";
import type { SendQuery } from "../../../sessions/session-queries.ts";
import { clickhouseDialect } from "../dialect/clickhouse-dialect.ts";
import { clickhouseValueType, isNullable } from "../values/value-types.ts";

const text = z.string();
const tableRow = z.tuple([text, text, text, text, z.bigint().nullable()]);
const columnRow = z.tuple([text, text, text, text, text]);

function within(schemas: readonly string[] | undefined): string {
  const user = "database NOT IN ('system', 'information_schema', 'INFORMATION_SCHEMA')";
  if (schemas === undefined) return user;
  if (schemas.length === 0) return "1 = 0";
  return `${user} AND database IN (${schemas.map(clickhouseDialect.quoteText).join(", ")})`;
}

/**
 * Reads the structure in two queries, however many tables there are. A primary key of ClickHouse orders rows and may have
 * duplicates, so it is no key here.
 */
export async function readClickHouseStructure(
  send: SendQuery,
  schemas: readonly string[] | undefined,
): Promise<WarehouseStructure> {
  const tables = await send(
    `SELECT database, name, engine, comment, total_rows FROM system.tables WHERE ${within(schemas)} AND NOT is_temporary AND NOT startsWith(name, '.inner') ORDER BY database, name`,
  );
  const columnRows = await send(
    `SELECT database, table, name, type, comment FROM system.columns WHERE ${within(schemas)} AND default_kind != 'EPHEMERAL' ORDER BY database, table, position`,
  );
  const columns = Map.groupBy(
    columnRows.map((row) => columnRow.parse(row)),
    ([schema, table]) => JSON.stringify([schema, table]),
  );
  return {
    tables: tables.map((row): TableStructure => {
      const [schema, table, engine, comment, count] = tableRow.parse(row);
      return {
        schema,
        table,
        kind: /View$/.test(engine) ? "view" : "table",
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
