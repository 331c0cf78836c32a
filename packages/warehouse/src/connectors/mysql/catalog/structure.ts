import type {
  ColumnStructure,
  ForeignKey,
  TableProblem,
  TableStructure,
  WarehouseStructure,
} from "../../../port/structure.ts";
import type { SendQuery } from "../../../sessions/session-queries.ts";
import type { MySqlProduct } from "../session/product.ts";
import { mysqlValueType } from "../values/value-types.ts";
import {
  columnGrantsQuery,
  columnsQuery,
  foreignKeysQuery,
  jsonChecksQuery,
  keysQuery,
  partialKeysQuery,
  tablesQuery,
} from "./catalog-queries.ts";
import {
  type ColumnRow,
  columnRow,
  foreignKeyRow,
  groupByTable,
  keyRow,
  type TableRow,
  tableKey,
  tableRow,
} from "./catalog-rows.ts";
import { readViewTables } from "./view-tables.ts";

/** Reads the structure in seven or eight queries, regardless of the number of tables. */
export async function readMySqlStructure(
  send: SendQuery,
  { product }: MySqlProduct,
  schemas: readonly string[] | undefined,
): Promise<WarehouseStructure> {
  const tables = (await send(tablesQuery(schemas))).map((row) => tableRow.parse(row));
  const columns = groupByTable((await send(columnsQuery(schemas))).map((row) => columnRow.parse(row)));
  const partial = new Set(
    (await send(partialKeysQuery(schemas))).map((row) => keyRow.parse(row).slice(0, 3).join("\0")),
  );
  const keys = groupByTable(
    (await send(keysQuery(schemas)))
      .map((row) => keyRow.parse(row))
      .filter((row) => !partial.has(row.slice(0, 3).join("\0"))),
  );
  const links = groupByTable((await send(foreignKeysQuery(schemas))).map((row) => foreignKeyRow.parse(row)));
  const json =
    product === "MariaDB"
      ? groupByTable((await send(jsonChecksQuery(schemas))).map((row) => keyRow.parse(row)))
      : new Map();
  const reads = await readViewTables(send, schemas, tables);
  const partly = new Set(
    (await send(columnGrantsQuery(schemas))).map(([schema, table]) => tableKey(`${schema}`, `${table}`)),
  );
  const found: TableStructure[] = [];
  const problems: TableProblem[] = [];
  for (const row of tables) {
    const key = tableKey(row[0], row[1]);
    const jsonColumns = new Set<string>((json.get(key) ?? []).map((check: readonly string[]) => check[2]));
    const own = (columns.get(key) ?? []).map((column) => (jsonColumns.has(column[2]) ? withJson(column) : column));
    const problem = problemOf(row, own);
    if (problem !== undefined) problems.push({ schema: row[0], table: row[1], kind: kindOf(row[2]), problem });
    else {
      const table = tableOf(row, own, keys.get(key) ?? [], links.get(key) ?? []);
      found.push({ ...table, reads: reads.get(key), ...(partly.has(key) && { isPartial: true }) });
    }
  }
  return { tables: found, problems };
}

function withJson(row: ColumnRow): ColumnRow {
  return [row[0], row[1], row[2], "json", "json", row[5], row[6], row[7], undefined];
}

const isReadable = (row: ColumnRow) => /\bselect\b/i.test(row[7]);

function kindOf(type: string): TableStructure["kind"] {
  return type.includes("VIEW") ? "view" : "table";
}

/** Returns the problem of a view with missing tables: its comment is the error. Other views have the comment VIEW. */
function problemOf([, , kind, comment = ""]: TableRow, columns: readonly ColumnRow[]): string | undefined {
  if (kind.includes("VIEW") && /references invalid/i.test(comment)) return `${comment.replace(/\.?$/, "")}.`;
  if (columns.length === 0)
    return "The catalog lists no columns, since its definition fails or the account may not read them.";
  return columns.some(isReadable) ? undefined : "The account may not read it. Grant it SELECT.";
}

function tableOf(
  [schema, table, kind, comment, rows]: TableRow,
  columns: readonly ColumnRow[],
  keys: readonly KeyRow[],
  links: readonly LinkRow[],
): TableStructure {
  const isView = kind.includes("VIEW");
  const byKey = [...Map.groupBy(keys, (key) => key[2])].map(([name, parts]) => ({
    name,
    columns: parts.map((part) => part[3]),
  }));
  return {
    schema,
    table,
    kind: kindOf(kind),
    columns: columns.filter(isReadable).map(columnOf),
    primaryKey: byKey.find(({ name }) => name === "PRIMARY")?.columns ?? [],
    uniqueKeys: byKey.filter(({ name }) => name !== "PRIMARY").map((key) => key.columns),
    foreignKeys: [...Map.groupBy(links, (link) => link[2]).values()].map(foreignKeyOf),
    comment: isView || comment === "" ? undefined : comment,
    estimatedRows: isView ? undefined : rows,
  };
}

type KeyRow = readonly [string, string, string, string];
type LinkRow = readonly [string, string, string, string, string, string, string];

function columnOf([, , name, dataType, nativeType, nullable, comment, , charset]: ColumnRow): ColumnStructure {
  return {
    name,
    type: mysqlValueType(dataType.toLowerCase(), nativeType.toLowerCase()),
    nativeType,
    nullable: nullable === "YES",
    charset,
    comment: comment === "" ? undefined : comment,
  };
}

function foreignKeyOf(parts: readonly LinkRow[]): ForeignKey {
  const [first] = parts;
  return {
    columns: parts.map((part) => part[3]),
    references: { schema: first?.[4] ?? "", table: first?.[5] ?? "", columns: parts.map((part) => part[6]) },
  };
}
