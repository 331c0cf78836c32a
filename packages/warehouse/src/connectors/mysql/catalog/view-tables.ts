import type { ReadTables } from "../../../port/structure.ts";
import type { SendQuery } from "../../../sessions/session-queries.ts";
import { findReadTables } from "../../../statements/find-read-tables.ts";
import { mysqlDialect } from "../dialect/mysql-dialect.ts";
import { viewsQuery } from "./catalog-queries.ts";
import { type TableRow, tableKey, viewRow } from "./catalog-rows.ts";

/** Engines whose tables have their own rows. Tables of other engines, such as MERGE, CONNECT and FEDERATED, show rows of other tables. */
const ownRows = new Set(
  "innodb myisam aria memory archive csv blackhole rocksdb tokudb ndbcluster ndb columnstore s3".split(" "),
);

/** Finds the tables whose rows are shown by views and by tables of other engines. */
export async function readViewTables(
  send: SendQuery,
  schemas: readonly string[] | undefined,
  tables: readonly TableRow[],
): Promise<ReadonlyMap<string, ReadTables>> {
  const isView = (type: string) => type.includes("VIEW");
  const others = tables.filter(([, , type, , , engine]) => !isView(type) && !ownRows.has((engine ?? "").toLowerCase()));
  const reads = new Map<string, ReadTables>(others.map(([schema, table]) => [tableKey(schema, table), "unknown"]));
  if (!tables.some(([, , type]) => isView(type))) return reads;
  for (const row of await send(viewsQuery(schemas))) {
    const [schema, table, definition = ""] = viewRow.parse(row);
    const read = await findReadTables(mysqlDialect, definition, ([first, second, ...more]) =>
      first === undefined || second === undefined || more.length > 0 ? [] : [{ schema: first, table: second }],
    );
    reads.set(tableKey(schema, table), read);
  }
  return reads;
}
