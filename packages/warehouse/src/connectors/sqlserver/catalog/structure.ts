import { sqlserverSelect } from "@bridle/sql";
import { z } from "zod";
import type {
  ColumnStructure,
  ForeignKey,
  ReadTables,
  TableProblem,
  TableStructure,
  WarehouseStructure,
} from "../../../port/structure.ts";
import type { SendQuery } from "../../../sessions/session-queries.ts";
import { findReadTables, NamedTables, selectOfView } from "../../../statements/find-read-tables.ts";
import { sqlserverDialect } from "../dialect/sqlserver-dialect.ts";
import { sqlserverValueType } from "../values/value-types.ts";
import {
  sqlserverColumns,
  sqlserverForeignKeys,
  sqlserverKeys,
  sqlserverTables,
  sqlserverViews,
} from "./catalog-queries.ts";

const text = z.string();
const maybe = z.string().nullable();
const flag = z.union([z.boolean(), z.number()]).transform(Boolean);
const count = z.coerce.number();

const tableRow = z.tuple([text, text, text, maybe, count.nullable(), count.nullable()]);
const columnRow = z.tuple([text, text, text, maybe, maybe, count, count, count, flag, maybe]);
const viewRow = z.tuple([text, text, maybe]);
const keyRow = z.tuple([text, text, text, flag, text]);
const linkRow = z.tuple([text, text, text, text, text, text, text]);

type ColumnRow = z.output<typeof columnRow>;
type KeyRow = z.output<typeof keyRow>;
type LinkRow = z.output<typeof linkRow>;

function byTable<Row extends readonly [string, string, ...unknown[]]>(
  rows: readonly Row[],
): ReadonlyMap<string, readonly Row[]> {
  return Map.groupBy(rows, ([schema, table]) => JSON.stringify([schema, table]));
}

/** Reads the structure in four or five queries, regardless of the number of tables. */
export async function readSqlServerStructure(
  send: SendQuery,
  schemas: readonly string[] | undefined,
): Promise<WarehouseStructure> {
  const rows = (await send(sqlserverTables(schemas))).map((row) => tableRow.parse(row));
  const columns = byTable((await send(sqlserverColumns(schemas))).map((row) => columnRow.parse(row)));
  const keys = byTable((await send(sqlserverKeys(schemas))).map((row) => keyRow.parse(row)));
  const links = byTable((await send(sqlserverForeignKeys(schemas))).map((row) => linkRow.parse(row)));
  const reads = await readViewTables(send, schemas, rows);
  const tables: TableStructure[] = [];
  const problems: TableProblem[] = [];
  for (const [schema, table, type, comment, estimatedRows, isReadable] of rows) {
    const key = JSON.stringify([schema, table]);
    const kind = type.trim() === "V" ? "view" : "table";
    if (isReadable !== 1) {
      problems.push({ schema, table, kind, problem: "The account may not read it. Grant it SELECT." });
      continue;
    }
    tables.push({
      schema,
      table,
      kind,
      reads: reads.get(key),
      columns: (columns.get(key) ?? []).map(columnOf),
      ...keysOf(keys.get(key) ?? []),
      foreignKeys: [...Map.groupBy(links.get(key) ?? [], (link) => link[2]).values()].map(linkOf),
      comment: comment ?? undefined,
      estimatedRows: estimatedRows ?? undefined,
    });
  }
  return { tables, problems };
}

/**
 * Finds the tables that views read. A name without a schema is looked up in the view's schema, and then in `dbo`. A synonym is neither a
 * table nor a view.
 */
async function readViewTables(
  send: SendQuery,
  schemas: readonly string[] | undefined,
  rows: readonly z.output<typeof tableRow>[],
): Promise<ReadonlyMap<string, ReadTables>> {
  const reads = new Map<string, ReadTables>();
  if (!rows.some(([, , type]) => type.trim() === "V")) return reads;
  const names = new NamedTables(rows.map(([schema, table]) => ({ schema, table })));
  for (const row of await send(sqlserverViews(schemas))) {
    const [schema, table, definition] = viewRow.parse(row);
    const select = selectOfView(definition ?? "", sqlserverSelect.grammar.lexical);
    const found = await findReadTables(sqlserverDialect, select, ([first, second, ...more]) => {
      if (more.length > 0) return [];
      return second === undefined
        ? [...names.find(schema, first), ...names.find("dbo", first)]
        : names.find(first, second);
    });
    reads.set(JSON.stringify([schema, table]), found);
  }
  return reads;
}

function keysOf(rows: readonly KeyRow[]): Pick<TableStructure, "primaryKey" | "uniqueKeys"> {
  const keys = [...Map.groupBy(rows, (row) => row[2]).values()];
  const columns = (parts: readonly KeyRow[]) => parts.map((part) => part[4]);
  return {
    primaryKey: columns(keys.find((parts) => parts[0]?.[3] === true) ?? []),
    uniqueKeys: keys.filter((parts) => parts[0]?.[3] === false).map(columns),
  };
}

function columnOf([
  ,
  ,
  name,
  systemType,
  userType,
  length,
  precision,
  scale,
  nullable,
  comment,
]: ColumnRow): ColumnStructure {
  const base = systemType ?? userType ?? "unknown";
  return {
    name,
    type: sqlserverValueType(base),
    nativeType: nativeType(base, length, precision, scale),
    nullable,
    comment: comment ?? undefined,
  };
}

/** Returns the type in T-SQL. The catalog stores the lengths of Unicode types in bytes. */
function nativeType(name: string, length: number, precision: number, scale: number): string {
  if (["decimal", "numeric"].includes(name)) return `${name}(${precision},${scale})`;
  if (["datetime2", "datetimeoffset", "time"].includes(name)) return `${name}(${scale})`;
  if (!["char", "varchar", "nchar", "nvarchar", "binary", "varbinary"].includes(name)) return name;
  if (length === -1) return `${name}(max)`;
  return `${name}(${name.startsWith("n") ? length / 2 : length})`;
}

function linkOf(parts: readonly LinkRow[]): ForeignKey {
  const [first] = parts;
  return {
    columns: parts.map((part) => part[3]),
    references: { schema: first?.[4] ?? "", table: first?.[5] ?? "", columns: parts.map((part) => part[6]) },
  };
}
