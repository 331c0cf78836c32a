/** Computes a change marker for each table: a string that differs if the table's rows or columns may have changed. */
import { createHash } from "node:crypto";
import type { DuckDBValue } from "@duckdb/node-api";
import type { TableName } from "../../../port/structure.ts";
import type { DuckDbSource, FilesSource } from "../session/find-source.ts";
import { quoteDuckDbName, quoteLiteral } from "../session/quote.ts";
import { stampOfFile } from "../session/session-keeper.ts";
import { BlockChecksums } from "./block-checksums.ts";
import type { DuckDbReader } from "./catalog-query.ts";
import { markOfFile } from "./file-mark.ts";

type Row = readonly DuckDBValue[];

/** Called with the number of tables that have a marker. */
type OnTables = (done: number) => void;

/** The number of tables whose storage one statement reads. */
const batchSize = 50;

const keyOf = (schema: DuckDBValue | undefined, table: DuckDBValue | undefined) => JSON.stringify([schema, table]);

export async function readDuckDbMarks(
  reader: DuckDbReader,
  source: DuckDbSource,
  tables: readonly TableName[],
  onProgress: OnTables = () => {},
): Promise<readonly (string | undefined)[]> {
  const columns = await readSignatures(reader);
  const marks =
    source.kind === "files" ? markFiles(source) : await markDatabase(reader, source.path, tables, onProgress);
  return tables.map(({ schema, table }) => {
    const key = keyOf(schema, table);
    const mark = marks.get(key);
    const signature = columns.get(key);
    return mark === undefined || signature === undefined ? undefined : digest(`${signature} ${mark}`);
  });
}

/** Reads the column names and types of each table. */
async function readSignatures(reader: DuckDbReader): Promise<ReadonlyMap<string, string>> {
  const rows = await reader.read(
    `SELECT schema_name, table_name, md5(string_agg(column_name || ' ' || data_type, ',' ORDER BY column_index))
     FROM duckdb_columns() WHERE database_name = current_database() AND NOT internal GROUP BY ALL`,
  );
  return new Map(rows.map(([schema, table, signature]) => [keyOf(schema, table), String(signature)]));
}

function markFiles({ tables }: FilesSource): ReadonlyMap<string, string> {
  return new Map(tables.map(({ name, files }) => [keyOf("main", name), files.map(markOfFile).join(" ")]));
}

async function markDatabase(
  reader: DuckDbReader,
  path: string,
  wanted: readonly TableName[],
  onProgress: OnTables,
): Promise<ReadonlyMap<string, string>> {
  const within = "database_name = current_database() AND NOT internal AND NOT temporary";
  const existing = new Set(
    (await reader.read(`SELECT schema_name, table_name FROM duckdb_tables() WHERE ${within}`)).map(([schema, table]) =>
      keyOf(schema, table),
    ),
  );
  const marks = await markViews(reader, path, within);
  const tables = wanted.filter(({ schema, table }) => existing.has(keyOf(schema, table)));
  for (const table of tables.filter(hasQuotes))
    marks.set(keyOf(table.schema, table.table), await markContent(reader, table));
  await markStored(
    reader,
    path,
    tables.filter((table) => !hasQuotes(table)),
    marks,
    onProgress,
  );
  return marks;
}

/** Whether a name contains quotes. DuckDB 1.5.6 cannot read such a name in the argument of `pragma_storage_info`. */
function hasQuotes({ schema, table }: TableName): boolean {
  return `${schema}${table}`.includes('"');
}

async function markStored(
  reader: DuckDbReader,
  path: string,
  tables: readonly TableName[],
  marks: Map<string, string>,
  onProgress: OnTables,
): Promise<void> {
  if (tables.length === 0) return;
  const [size] = await reader.read(
    "SELECT block_size FROM pragma_database_size() WHERE database_name = current_database()",
  );
  const checksums = new BlockChecksums(path, Number(size?.[0]));
  try {
    for (let start = 0; start < tables.length; start += batchSize) {
      await markTables(reader, tables.slice(start, start + batchSize), checksums, marks);
      onProgress(Math.min(start + batchSize, tables.length));
    }
  } finally {
    checksums.close();
  }
}

/** Marks views. A view may read any table, so its marker differs after each change of the database. */
async function markViews(reader: DuckDbReader, path: string, within: string): Promise<Map<string, string>> {
  const stamp = `${stampOfFile(path)} ${stampOfFile(`${path}.wal`)}`;
  const views = await reader.read(`SELECT schema_name, view_name, sql FROM duckdb_views() WHERE ${within}`);
  return new Map(views.map(([schema, view, sql]) => [keyOf(schema, view), `${sql} ${stamp}`]));
}

/**
 * Marks tables. DuckDB's segment list contains the positions of a table's values. A stored block never changes, and begins with a checksum.
 * The positions and checksums together identify the values without reading them. Deleted rows stay in their blocks, but are not counted.
 */
async function markTables(
  reader: DuckDbReader,
  tables: readonly TableName[],
  checksums: BlockChecksums,
  marks: Map<string, string>,
): Promise<void> {
  const rows = await reader.read(tables.map(storageStatement).join("\nUNION ALL\n"));
  for (const [index, segments, blocks, isStored, count] of rows) {
    const table = tables[Number(index)];
    if (table === undefined) continue;
    const mark =
      isStored === true
        ? `${segments} ${count} ${checksums.read(parseBlocks(blocks))}`
        : await markContent(reader, table);
    marks.set(keyOf(table.schema, table.table), mark);
  }
}

function storageStatement({ schema, table }: TableName, index: number): string {
  const name = `${quoteDuckDbName(schema)}.${quoteDuckDbName(table)}`;
  const segment =
    "row_group_id, column_id, column_path, segment_id, segment_type, start, count, compression, stats, block_id, block_offset, additional_block_ids::VARCHAR";
  return `SELECT ${index}, md5(coalesce(string_agg(concat_ws(',', ${segment}), ';' ORDER BY row_group_id, column_id, column_path, segment_id), '')),
    to_json(list_distinct(list_concat(list(block_id), flatten(list(additional_block_ids))))),
    coalesce(bool_and(persistent AND NOT has_updates), true), (SELECT count(*) FROM ${name})
  FROM pragma_storage_info(${quoteLiteral(name)})`;
}

/**
 * Computes a sum over the hashes of all rows. Used for tables that cannot be marked by their storage, for example because some changes are
 * only in the write-ahead log.
 */
async function markContent(reader: DuckDbReader, { schema, table }: TableName): Promise<string> {
  const sql = `SELECT count(*), sum(hash(*COLUMNS(*))::HUGEINT) FROM ${quoteDuckDbName(schema)}.${quoteDuckDbName(table)}`;
  const [row]: readonly Row[] = await reader.read(sql);
  return `content ${row?.join(" ")}`;
}

function parseBlocks(json: DuckDBValue | undefined): readonly number[] {
  const parsed: unknown = typeof json === "string" ? JSON.parse(json) : [];
  return Array.isArray(parsed) ? parsed.filter((block) => typeof block === "number" && block >= 0) : [];
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
