import type { ColumnStructure, TableStructure, WarehouseStructure } from "../../../port/structure.ts";
import type { WarehouseRow } from "../../../port/values.ts";
import { snowflakeDialect } from "../dialect/snowflake-dialect.ts";
import { snowflakeNativeType, snowflakeValueType } from "../values/value-types.ts";
import { DeclaredKeys } from "./declared-keys.ts";
import type { AskCatalogue, NamedRows } from "./named-rows.ts";

const { quoteIdentifier, quoteText } = snowflakeDialect;

/** Tables of Snowflake itself. The rows of others may change without their marks. */
export const snowflakeTableKind = "BASE TABLE";

/** Reads the structure in two queries, and the declared keys in three for each schema or for all. */
export async function readSnowflakeStructure(
  ask: AskCatalogue,
  database: string,
  schemas: readonly string[] | undefined,
): Promise<WarehouseStructure> {
  const from = `${quoteIdentifier(database)}.INFORMATION_SCHEMA`;
  const where = whereSchemas(schemas);
  const tables = await ask(
    `SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE, ROW_COUNT, COMMENT FROM ${from}.TABLES WHERE ${where} ORDER BY TABLE_SCHEMA, TABLE_NAME`,
  );
  if (tables.all().length === 0) return { tables: [], problems: [] };
  const columns = await ask(
    `SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, DATA_TYPE, IS_NULLABLE, CHARACTER_MAXIMUM_LENGTH, NUMERIC_PRECISION, NUMERIC_SCALE, DATETIME_PRECISION, COMMENT FROM ${from}.COLUMNS WHERE ${where} ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION`,
  );
  const keys = new DeclaredKeys(ask, database);
  await keys.read(
    [...new Set(tables.all().map((row) => tables.text(row, "TABLE_SCHEMA") ?? ""))],
    schemas !== undefined,
  );
  const rowsOf = Map.groupBy(columns.all(), (row) => placeOf(columns, row));
  return {
    tables: tables.all().map((row) => tableOf(tables, row, columns, rowsOf.get(placeOf(tables, row)) ?? [], keys)),
    problems: keys.problems,
  };
}

function whereSchemas(schemas: readonly string[] | undefined): string {
  const user = "TABLE_SCHEMA <> 'INFORMATION_SCHEMA'";
  if (schemas === undefined) return user;
  if (schemas.length === 0) return "1 = 0";
  return `${user} AND TABLE_SCHEMA IN (${schemas.map(quoteText).join(", ")})`;
}

function placeOf(rows: NamedRows, row: WarehouseRow): string {
  return JSON.stringify([rows.text(row, "TABLE_SCHEMA"), rows.text(row, "TABLE_NAME")]);
}

function tableOf(
  tables: NamedRows,
  row: WarehouseRow,
  columns: NamedRows,
  columnRows: readonly WarehouseRow[],
  keys: DeclaredKeys,
): TableStructure {
  const name = { schema: tables.text(row, "TABLE_SCHEMA") ?? "", table: tables.text(row, "TABLE_NAME") ?? "" };
  const kind = tables.text(row, "TABLE_TYPE");
  const isTable = kind === snowflakeTableKind || kind === "TEMPORARY TABLE" || kind === "EVENT TABLE";
  return {
    ...name,
    kind: isTable ? "table" : "view",
    columns: columnRows.map((each) => columnOf(columns, each)),
    ...keys.of(name),
    comment: tables.text(row, "COMMENT"),
    estimatedRows: isTable ? tables.number(row, "ROW_COUNT") : undefined,
  };
}

function columnOf(columns: NamedRows, row: WarehouseRow): ColumnStructure {
  const isTime = columns.text(row, "DATETIME_PRECISION") !== undefined;
  const type = {
    type: columns.text(row, "DATA_TYPE") ?? "",
    length: columns.number(row, "CHARACTER_MAXIMUM_LENGTH"),
    precision: columns.number(row, "NUMERIC_PRECISION"),
    scale: columns.number(row, isTime ? "DATETIME_PRECISION" : "NUMERIC_SCALE"),
  };
  return {
    name: columns.text(row, "COLUMN_NAME") ?? "",
    type: snowflakeValueType(type),
    nativeType: snowflakeNativeType(type),
    nullable: columns.text(row, "IS_NULLABLE") !== "NO",
    comment: columns.text(row, "COMMENT"),
  };
}
