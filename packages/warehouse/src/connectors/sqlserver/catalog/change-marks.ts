import { z } from "zod";
import type { TableName } from "../../../port/structure.ts";
import type { SendQuery } from "../../../sessions/session-queries.ts";
import { sqlserverDialect } from "../dialect/sqlserver-dialect.ts";

const versionRow = z.tuple([z.string(), z.string(), z.string()]);
const markRow = z.tuple([z.string(), z.string(), z.coerce.string(), z.coerce.string().nullable()]);

/** Selects columns of type rowversion, which the catalog calls timestamp. A table has at most one such column. */
const versionColumns = `SELECT s.name, o.name, c.name FROM sys.objects AS o JOIN sys.schemas AS s ON s.schema_id = o.schema_id
  JOIN sys.columns AS c ON c.object_id = o.object_id AND c.system_type_id = 189 WHERE o.type = 'U'`;

/** The number of tables in one query. */
const batchSize = 50;

/**
 * Marks the tables with a rowversion column by the greatest value and the number of rows. Each insert and update sets the column to a
 * greater value than any before, and each deletion reduces the number of rows. Tables without such a column have no marker, because the
 * server does not keep the time of a table's last change across restarts.
 */
export async function readSqlServerMarks(
  send: SendQuery,
  tables: readonly TableName[],
): Promise<readonly (string | undefined)[]> {
  const versions = new Map(
    (await send(versionColumns)).map((row) => {
      const [schema, table, column] = versionRow.parse(row);
      return [idOf({ schema, table }), column] as const;
    }),
  );
  const marked = tables.filter((table) => versions.has(idOf(table)));
  const marks = new Map<string, string>();
  for (let start = 0; start < marked.length; start += batchSize) {
    const batch = marked.slice(start, start + batchSize);
    for (const row of await send(markQuery(batch.map((table) => [table, versions.get(idOf(table)) ?? ""])))) {
      const [schema, table, rows, version] = markRow.parse(row);
      if (rows === "0" || version !== null) marks.set(idOf({ schema, table }), `${rows} ${version}`);
    }
  }
  return tables.map((table) => marks.get(idOf(table)));
}

/**
 * Selects the markers. A table has no marker if an open transaction may have written lower values than the greatest visible value, because
 * these do not raise the greatest value when the transaction ends.
 */
function markQuery(tables: readonly (readonly [TableName, string])[]): string {
  const { quoteIdentifier, quoteTable, quoteText } = sqlserverDialect;
  const selects = tables.map(([name, column]) => {
    const greatest = `MAX(CONVERT(bigint, ${quoteIdentifier(column)}))`;
    return `SELECT ${quoteText(name.schema)}, ${quoteText(name.table)}, COUNT_BIG(*), CASE WHEN ${greatest} < @lowest THEN ${greatest} END FROM ${quoteTable(name)}`;
  });
  return `DECLARE @lowest bigint = CONVERT(bigint, MIN_ACTIVE_ROWVERSION());\n${selects.join("\nUNION ALL ")}`;
}

function idOf({ schema, table }: TableName): string {
  return JSON.stringify([schema, table]);
}
