import { z } from "zod";
import type {
  ColumnStructure,
  ForeignKey,
  TableProblem,
  TableStructure,
  WarehouseStructure,
} from "../../../port/structure.ts";
import type { SendQuery } from "../../../sessions/session-queries.ts";
import { sqlserverValueType } from "../values/value-types.ts";
import { sqlserverColumns, sqlserverForeignKeys, sqlserverKeys, sqlserverTables } from "./catalog-queries.ts";

const text = z.string();
const maybe = z.string().nullable();
const flag = z.union([z.boolean(), z.number()]).transform(Boolean);
const count = z.coerce.number();

const tableRow = z.tuple([text, text, text, maybe, count.nullable(), count.nullable()]);
const columnRow = z.tuple([text, text, text, maybe, maybe, count, count, count, flag, maybe]);
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

/** Reads the structure in four queries, however many tables there are. */
export async function readSqlServerStructure(
  send: SendQuery,
  schemas: readonly string[] | undefined,
): Promise<WarehouseStructure> {
  const rows = (await send(sqlserverTables(schemas))).map((row) => tableRow.parse(row));
  const columns = byTable((await send(sqlserverColumns(schemas))).map((row) => columnRow.parse(row)));
  const keys = byTable((await send(sqlserverKeys(schemas))).map((row) => keyRow.parse(row)));
  const links = byTable((await send(sqlserverForeignKeys(schemas))).map((row) => linkRow.parse(row)));
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
      columns: (columns.get(key) ?? []).map(columnOf),
      ...keysOf(keys.get(key) ?? []),
      foreignKeys: [...Map.groupBy(links.get(key) ?? [], (link) => link[2]).values()].map(linkOf),
      comment: comment ?? undefined,
      estimatedRows: estimatedRows ?? undefined,
    });
  }
  return { tables, problems };
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

/** As T-SQL writes it: lengths of Unicode types are stored in bytes. */
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
