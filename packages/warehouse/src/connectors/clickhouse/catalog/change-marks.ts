import { InvalidRequestError } from "@bridle/protocol";
import { z } from "zod";
import type { TableName } from "../../../port/structure.ts";
import type { SendQuery } from "../../../sessions/session-queries.ts";
import { clickhouseDialect } from "../dialect/clickhouse-dialect.ts";

const markRow = z.tuple([z.string(), z.string(), z.string()]);

/**
 * Returns a change marker for each table. Tables of the MergeTree family are marked by the checksums of their parts. Other tables have no
 * marker.
 */
export async function readClickHouseMarks(
  send: SendQuery,
  tables: readonly TableName[],
): Promise<readonly (string | undefined)[]> {
  if (tables.length === 0) return [];
  const { quoteText } = clickhouseDialect;
  const names = tables.map(({ schema, table }) => `(${quoteText(schema)}, ${quoteText(table)})`).join(", ");
  const sql = `SELECT t.database, t.name, concat(toString(toUnixTimestamp(t.metadata_modification_time)), '-', toString(p.parts), '-', toString(p.sums))
    FROM system.tables AS t LEFT JOIN (
      SELECT database, table, count() AS parts, groupBitXor(sipHash64(name, hash_of_all_files)) AS sums
      FROM system.parts WHERE active GROUP BY database, table
    ) AS p ON p.database = t.database AND p.table = t.name
    WHERE t.engine LIKE '%MergeTree' AND (t.database, t.name) IN (${names})`;
  try {
    const marks = new Map<string, string>();
    for (const row of await send(sql)) {
      const [schema, table, mark] = markRow.parse(row);
      marks.set(JSON.stringify([schema, table]), mark);
    }
    return tables.map(({ schema, table }) => marks.get(JSON.stringify([schema, table])));
  } catch (error) {
    // The account may not read system.parts.
    if (error instanceof InvalidRequestError) return tables.map(() => undefined);
    throw error;
  }
}
