/** Computes change markers, which differ if the rows or the structure of a table may have changed. */
import { BudgetExceededError, TimeoutError } from "@bridle/protocol";
import { z } from "zod";
import type { TableName } from "../../../port/structure.ts";
import { quoteTable } from "../dialect/quote.ts";
import { applicationName } from "../session/server-pool.ts";
import type { QueryCatalog } from "../session/statement-session.ts";

/**
 * Selects whether the change counters are complete. A session reports its changes up to 10 s after it commits them, before PostgreSQL 15
 * even later. So the counters are uncertain if another session was active in the last 15 s, or if the account may not see other sessions'
 * activity. A standby counts no changes. `origin` changes when the counters are reset to zero.
 */
const stateQuery = `
SELECT current_setting('track_counts') = 'on' AND NOT pg_is_in_recovery() AND NOT EXISTS (
    SELECT FROM pg_catalog.pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name IS DISTINCT FROM $1
      AND backend_type IS DISTINCT FROM 'autovacuum worker' AND backend_type IS DISTINCT FROM 'parallel worker'
      AND (current_setting('server_version_num')::int < 150000 OR state IS NULL OR state <> 'idle'
        OR state_change > clock_timestamp() - interval '15 seconds')) AS certain,
  concat_ws(' ', (SELECT stats_reset FROM pg_catalog.pg_stat_database WHERE datname = current_database()),
    (SELECT stats_reset FROM pg_catalog.pg_stat_bgwriter)) AS origin`;

/**
 * Selects the structure of each table, and the files and counters of all of its partitions. Views and foreign tables have no marker.
 * Neither do tables that another session has locked against reading, because reading the size of their files would wait for the lock.
 */
const markQuery = `
WITH RECURSIVE wanted AS (
  SELECT u.place, c.oid, c.relkind, has_table_privilege(c.oid, 'SELECT') AS readable
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY u (schema, name, place)
  JOIN pg_catalog.pg_namespace n ON n.nspname = u.schema
  JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = u.name AND c.relkind IN ('r', 'p', 'm')),
tree (root, oid) AS (SELECT oid, oid FROM wanted
  UNION ALL SELECT t.root, i.inhrelid FROM tree t JOIN pg_catalog.pg_inherits i ON i.inhparent = t.oid),
locked AS (SELECT DISTINCT t.root FROM tree t JOIN pg_catalog.pg_locks l ON l.relation = t.oid
  WHERE l.mode = 'AccessExclusiveLock' AND l.granted
    AND l.database = (SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname = current_database())),
parts AS (SELECT t.root, bool_or(c.relkind = 'f') AS remote, sum(pg_relation_size(c.oid))::float8 AS bytes,
    md5(string_agg(concat_ws(':', c.oid, pg_relation_filenode(c.oid)), ',' ORDER BY c.oid)) AS files,
    md5(string_agg(concat_ws(':', pg_relation_size(c.oid), pg_stat_get_tuples_inserted(c.oid),
      pg_stat_get_tuples_updated(c.oid), pg_stat_get_tuples_deleted(c.oid)), ',' ORDER BY c.oid)) AS counters
  FROM tree t JOIN pg_catalog.pg_class c ON c.oid = t.oid WHERE t.root NOT IN (SELECT root FROM locked) GROUP BY t.root)
SELECT w.place::int AS place, w.readable AND NOT p.remote AS known, p.bytes, p.files, p.counters, md5(concat_ws(';', w.readable,
  (SELECT string_agg(concat_ws(':', a.attnum, a.attname, a.atttypid, a.atttypmod, a.attnotnull), ',' ORDER BY a.attnum)
    FROM pg_catalog.pg_attribute a WHERE a.attrelid = w.oid AND a.attnum > 0 AND NOT a.attisdropped),
  (SELECT string_agg(concat_ws(':', k.conname, k.contype, k.conkey, k.confrelid, k.confkey), ',' ORDER BY k.oid)
    FROM pg_catalog.pg_constraint k WHERE k.conrelid = w.oid),
  (SELECT string_agg(concat_ws(':', i.indexrelid, i.indkey, i.indisunique), ',' ORDER BY i.indexrelid)
    FROM pg_catalog.pg_index i WHERE i.indrelid = w.oid),
  (SELECT string_agg(concat_ws(':', d.objsubid, d.description), ',' ORDER BY d.objsubid)
    FROM pg_catalog.pg_description d WHERE d.objoid = w.oid))) AS structure
FROM wanted w JOIN parts p ON p.root = w.oid`;

const stateSchema = z.object({ certain: z.boolean(), origin: z.string() });
const markSchema = z.object({
  place: z.number(),
  known: z.boolean(),
  bytes: z.number(),
  files: z.string(),
  counters: z.string(),
  structure: z.string(),
});
type MarkRow = z.output<typeof markSchema>;
const contentSchema = z.object({ place: z.number(), content: z.string() });

/** If the counters are uncertain, all row versions are read instead, in tables up to this many bytes. */
const maxContentBytes = 16_000_000;
const tablesPerQuery = 50;

export async function readPostgresMarks(
  query: QueryCatalog,
  tables: readonly TableName[],
): Promise<readonly (string | undefined)[]> {
  const [state] = z.array(stateSchema).parse(await query(stateQuery, [applicationName]));
  const names = [tables.map(({ schema }) => schema), tables.map(({ table }) => table)];
  const rows = z.array(markSchema).parse(await query(markQuery, names).catch(withoutMarks));
  const known = rows.filter((row) => row.known);
  const marks = new Map<number, string>();
  if (state?.certain) {
    for (const row of known) marks.set(row.place, `${writeMark(row, row.counters)} ${state.origin}`);
  } else {
    for (const row of await readContents(query, tables, known)) marks.set(row.place, row.mark);
  }
  return tables.map((_, index) => marks.get(index + 1));
}

/** Returns no markers if a table was locked during the query. All of the tables are then scanned again. */
function withoutMarks(error: unknown): readonly unknown[] {
  if (error instanceof TimeoutError) return [];
  throw error;
}

/** Returns no rows if one of the tables may not be read, or was locked during the query. */
function withoutContent(error: unknown): readonly unknown[] {
  if (error instanceof BudgetExceededError) throw error;
  return [];
}

function writeMark({ structure, files }: MarkRow, rest: string): string {
  return `${structure} ${files} ${rest}`;
}

async function readContents(
  query: QueryCatalog,
  tables: readonly TableName[],
  known: readonly MarkRow[],
): Promise<readonly { readonly place: number; readonly mark: string }[]> {
  const small = known.filter(({ bytes }) => bytes <= maxContentBytes);
  const contents = new Map<number, string>();
  for (let start = 0; start < small.length; start += tablesPerQuery) {
    const selects = small
      .slice(start, start + tablesPerQuery)
      .map(({ place }) => selectContent(place, tables[place - 1]));
    const rows = z.array(contentSchema).parse(await query(selects.join("\nUNION ALL\n")).catch(withoutContent));
    for (const { place, content } of rows) contents.set(place, content);
  }
  return small.flatMap((row) => {
    const content = contents.get(row.place);
    return content === undefined ? [] : [{ place: row.place, mark: writeMark(row, content) }];
  });
}

/**
 * Selects a digest of the row versions. Every change of a row creates a new version of it, with another transaction or another position.
 */
function selectContent(place: number, table: TableName = { schema: "", table: "" }): string {
  return (
    `SELECT ${place}::int AS place, concat_ws(' ', count(*), sum(hashtextextended(` +
    `concat_ws(' ', r.tableoid, r.xmin, r.ctid), 0))) AS content FROM ${quoteTable(table)} r`
  );
}
