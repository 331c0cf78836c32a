import { snowflakeSelect } from "@bridle/sql";
import type {
  ColumnStructure,
  ReadTables,
  TableName,
  TableStructure,
  WarehouseStructure,
} from "../../../port/structure.ts";
import type { WarehouseRow } from "../../../port/values.ts";
import { findReadTables, NamedTables, selectOfView } from "../../../statements/find-read-tables.ts";
import { snowflakeDialect } from "../dialect/snowflake-dialect.ts";
import { snowflakeNativeType, snowflakeValueType } from "../values/value-types.ts";
import { DeclaredKeys } from "./declared-keys.ts";
import type { AskCatalog, NamedRows } from "./named-rows.ts";

const { quoteIdentifier, quoteText } = snowflakeDialect;

/** The kind of tables that Snowflake itself stores. The rows of other tables may change without a new change marker. */
export const snowflakeTableKind = "BASE TABLE";

/** Reads the structure in two or three queries, and the declared keys in three queries, for all schemas together or for each schema. */
export async function readSnowflakeStructure(
  ask: AskCatalog,
  database: string,
  schemas: readonly string[] | undefined,
): Promise<WarehouseStructure> {
  const from = `${quoteIdentifier(database)}.INFORMATION_SCHEMA`;
  const where = whereSchemas(schemas);
  // Selects all columns, because some of them do not exist everywhere yet.
  const tables = await ask(`SELECT * FROM ${from}.TABLES WHERE ${where} ORDER BY TABLE_SCHEMA, TABLE_NAME`);
  if (tables.all().length === 0) return { tables: [], problems: [] };
  const columns = await ask(
    `SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, DATA_TYPE, IS_NULLABLE, CHARACTER_MAXIMUM_LENGTH, NUMERIC_PRECISION, NUMERIC_SCALE, DATETIME_PRECISION, COMMENT FROM ${from}.COLUMNS WHERE ${where} ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION`,
  );
  const reads = await readViewTables(ask, database, where, tables);
  const keys = new DeclaredKeys(ask, database);
  await keys.read(
    [...new Set(tables.all().map((row) => tables.text(row, "TABLE_SCHEMA") ?? ""))],
    schemas !== undefined,
  );
  const rowsOf = Map.groupBy(columns.all(), (row) => placeOf(columns, row));
  return {
    tables: tables.all().map((row) => {
      const place = placeOf(tables, row);
      return { ...tableOf(tables, row, columns, rowsOf.get(place) ?? [], keys), reads: reads.get(place) };
    }),
    problems: keys.problems,
  };
}

function whereSchemas(schemas: readonly string[] | undefined): string {
  const user = "TABLE_SCHEMA <> 'INFORMATION_SCHEMA'";
  if (schemas === undefined) return user;
  if (schemas.length === 0) return "1 = 0";
  return `${user} AND TABLE_SCHEMA IN (${schemas.map(quoteText).join(", ")})`;
}

/** Finds the tables that views read, by their definitions. Snowflake shows the definition of a secure view only to its owner. */
async function readViewTables(
  ask: AskCatalog,
  database: string,
  where: string,
  tables: NamedRows,
): Promise<ReadonlyMap<string, ReadTables>> {
  const nameOf = (rows: NamedRows, row: WarehouseRow): TableName => ({
    schema: rows.text(row, "TABLE_SCHEMA") ?? "",
    table: rows.text(row, "TABLE_NAME") ?? "",
  });
  const ofType = (pattern: RegExp) => (row: WarehouseRow) => pattern.test(tables.text(row, "TABLE_TYPE") ?? "");
  const external = tables.all().filter(ofType(/^EXTERNAL TABLE$/));
  const dynamic = tables.all().filter((row) => tables.text(row, "IS_DYNAMIC") === "YES");
  const reads = new Map<string, ReadTables>([
    ...external.map((row) => [placeOf(tables, row), []] as const), // external tables show rows of files
    ...dynamic.map((row) => [placeOf(tables, row), "unknown"] as const),
  ]);
  if (!tables.all().some(ofType(/VIEW/))) return reads;
  const names = new NamedTables(tables.all().map((row) => nameOf(tables, row)));
  const views = await ask(
    `SELECT TABLE_SCHEMA, TABLE_NAME, VIEW_DEFINITION FROM ${quoteIdentifier(database)}.INFORMATION_SCHEMA.VIEWS WHERE ${where}`,
  );
  for (const row of views.all()) {
    const select = selectOfView(views.text(row, "VIEW_DEFINITION") ?? "", snowflakeSelect.grammar.lexical);
    const { schema: home } = nameOf(views, row);
    const found = await findReadTables(snowflakeDialect, select, ([first, second, third, ...more]) => {
      if (more.length > 0 || (third !== undefined && first?.toLowerCase() !== database.toLowerCase())) return [];
      if (third !== undefined) return names.find(second, third);
      return second === undefined ? names.find(home, first) : names.find(first, second);
    });
    reads.set(placeOf(views, row), found);
  }
  return reads;
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
