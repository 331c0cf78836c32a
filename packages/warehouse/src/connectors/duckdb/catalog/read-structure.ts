/** Reads tables, views, columns, keys and comments from DuckDB's catalog. */
import { BudgetExceededError } from "@bridle/protocol";
import type { DuckDBValue } from "@duckdb/node-api";
import type { CatalogOptions } from "../../../port/connector.ts";
import type {
  ColumnStructure,
  ForeignKey,
  TableProblem,
  TableStructure,
  WarehouseStructure,
} from "../../../port/structure.ts";
import { reasonOfDuckDb } from "../session/errors.ts";
import { quoteDuckDbName, quoteLiteral } from "../session/quote.ts";
import { duckdbTypeOf } from "../values/value-types.ts";
import type { DuckDbReader } from "./catalog-query.ts";
import { ViewTables } from "./view-tables.ts";

/** Returns the map key of a table. */
const keyOf = (schema: DuckDBValue | undefined, table: DuckDBValue | undefined) => JSON.stringify([schema, table]);

interface DeclaredKeys {
  primaryKey: readonly string[];
  readonly uniqueKeys: (readonly string[])[];
  readonly foreignKeys: ForeignKey[];
}

export interface StructureSource {
  /** Files that cannot be shown as tables. */
  readonly problems: readonly TableProblem[];
  /** Functions that read nothing, without the database's macros. */
  readonly functions: ReadonlySet<string>;
  /** Whether the tables are data files, which DuckDB reads through views that Bridle creates. */
  readonly isFiles: boolean;
  readonly onProgress?: CatalogOptions["onProgress"];
}

/** Reads the structure. `schemas` limits the schemas to read; undefined means all. */
export async function readDuckDbStructure(
  reader: DuckDbReader,
  schemas: readonly string[] | undefined,
  { problems: failed, functions, isFiles, onProgress }: StructureSource,
): Promise<WarehouseStructure> {
  const within = `database_name = current_database() AND NOT internal${limitTo(schemas)}`;
  const columns = await readColumns(reader, within);
  const keys = await readKeys(reader, `database_name = current_database()${limitTo(schemas)}`);
  const tables: TableStructure[] = [];
  const problems = failed.filter(({ schema }) => schemas?.includes(schema) ?? true);
  const relations = await readRelations(reader, within);
  const names = relations.map(([schema, table]) => ({ schema: String(schema), table: String(table) }));
  const views = new ViewTables(functions, names);
  for (const [at, row] of relations.entries()) {
    const [schema, table, kind, comment, rows, definition] = row;
    const key = keyOf(schema, table);
    const name = names[at] ?? { schema: "", table: "" };
    const isView = kind === "view" && !isFiles;
    onProgress?.(at + 1, relations.length);
    const problem = kind === "view" ? await findViewProblem(reader, name) : undefined;
    if (problem !== undefined) {
      problems.push({ ...name, kind: isView ? "view" : "table", problem });
      continue;
    }
    tables.push({
      ...name,
      kind: isView ? "view" : "table",
      reads: isView ? await views.of(name, String(definition)) : undefined,
      columns: columns.get(key) ?? [],
      ...(keys.get(key) ?? { primaryKey: [], uniqueKeys: [], foreignKeys: [] }),
      comment: textOf(comment),
      estimatedRows: rows === null || rows === undefined ? undefined : Number(rows),
    });
  }
  return { tables, problems };
}

function limitTo(schemas: readonly string[] | undefined): string {
  if (schemas === undefined) return "";
  return ` AND schema_name IN (${["", ...schemas].map(quoteLiteral).join(", ")})`;
}

function readRelations(reader: DuckDbReader, within: string): Promise<readonly (readonly DuckDBValue[])[]> {
  return reader.read(
    `SELECT schema_name, table_name, 'table', comment, estimated_size, NULL FROM duckdb_tables() WHERE ${within} AND NOT temporary
     UNION ALL SELECT schema_name, view_name, 'view', comment, NULL, sql FROM duckdb_views() WHERE ${within} AND NOT temporary
     ORDER BY 1, 2`,
  );
}

async function readColumns(reader: DuckDbReader, within: string): Promise<ReadonlyMap<string, ColumnStructure[]>> {
  const rows = await reader.read(
    `SELECT schema_name, table_name, column_name, data_type, is_nullable, comment FROM duckdb_columns()
     WHERE ${within} ORDER BY schema_name, table_name, column_index`,
  );
  const columns = new Map<string, ColumnStructure[]>();
  for (const [schema, table, name, type, nullable, comment] of rows) {
    const nativeType = String(type);
    const column: ColumnStructure = {
      name: String(name),
      type: duckdbTypeOf(nativeType),
      nativeType,
      nullable: nullable === true,
      comment: textOf(comment),
    };
    const key = keyOf(schema, table);
    const list = columns.get(key);
    if (list === undefined) columns.set(key, [column]);
    else list.push(column);
  }
  return columns;
}

async function readKeys(reader: DuckDbReader, within: string): Promise<ReadonlyMap<string, DeclaredKeys>> {
  const rows = await reader.read(
    `SELECT schema_name, table_name, constraint_type, to_json(constraint_column_names), referenced_table,
       to_json(referenced_column_names)
     FROM duckdb_constraints() WHERE ${within} AND constraint_type IN ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY')
     ORDER BY schema_name, table_name, constraint_index`,
  );
  const keys = new Map<string, DeclaredKeys>();
  for (const [schema, table, kind, names, target, targetNames] of rows) {
    const key = keyOf(schema, table);
    const declared = keys.get(key) ?? { primaryKey: [], uniqueKeys: [], foreignKeys: [] };
    keys.set(key, declared);
    const columns = namesOf(names);
    if (kind === "PRIMARY KEY") declared.primaryKey = columns;
    else if (kind === "UNIQUE") declared.uniqueKeys.push(columns);
    else
      declared.foreignKeys.push({
        columns,
        references: { schema: String(schema), table: String(target), columns: namesOf(targetNames) },
      });
  }
  return keys;
}

/** Plans a view without reading it. If planning fails, returns why: a table is missing, or the view reads a file outside the database. */
async function findViewProblem(
  reader: DuckDbReader,
  { schema, table }: { readonly schema: string; readonly table: string },
): Promise<string | undefined> {
  try {
    await reader.read(`EXPLAIN SELECT * FROM ${quoteDuckDbName(schema)}.${quoteDuckDbName(table)}`);
    return undefined;
  } catch (cause) {
    if (cause instanceof BudgetExceededError) throw cause;
    return `The view cannot be read: ${reasonOfDuckDb(cause)}.`;
  }
}

function namesOf(json: DuckDBValue | undefined): readonly string[] {
  const parsed: unknown = typeof json === "string" ? JSON.parse(json) : [];
  return Array.isArray(parsed) ? parsed.map(String) : [];
}

function textOf(value: DuckDBValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
