import { createHash } from "node:crypto";
import { TimeoutError } from "@bridle/protocol";
import type { CatalogOptions } from "../../../port/connector.ts";
import type { TableName, TableStructure, WarehouseStructure } from "../../../port/structure.ts";
import type { SendQuery } from "../../../sessions/session-queries.ts";
import { mysqlDialect } from "../dialect/mysql-dialect.ts";
import { changesQuery } from "./catalog-queries.ts";
import { tableKey } from "./catalog-rows.ts";

/** Engines that report the time of the last data change. */
const timedEngines = new Set(["innodb", "myisam"]);

/**
 * Engines whose tables are read, because their times are too late. Aria reports the time of its file, which is written up to 30 seconds
 * after a change. Tables of engines in neither list may change outside the server.
 */
const untimedEngines = new Set(["aria"]);

/**
 * A table's time counts only after the table has been unchanged for this many seconds: times have whole seconds, so the table may change
 * again in the same second.
 */
const restSeconds = 2;

/** The maximum size in bytes of a table that CHECKSUM TABLE reads if the time of its last change is unknown. */
const maxBytes = 8_000_000;

interface TableChange {
  readonly engine: string;
  readonly time: string | undefined;
  readonly age: number;
  readonly bytes: number;
  readonly isPartitioned: boolean;
}

/**
 * Returns a change marker for each table: the time of its last change, with its structure. The server forgets the time when it restarts or
 * closes the table. Without a time, small tables are marked by their checksum, and larger tables have no marker.
 */
export async function readMySqlMarks(
  send: SendQuery,
  structure: WarehouseStructure,
  tables: readonly TableName[],
  onProgress: CatalogOptions["onProgress"],
): Promise<readonly (string | undefined)[]> {
  const changes = await readChanges(send, [...new Set(tables.map(({ schema }) => schema))]);
  const known = new Map(structure.tables.map((table) => [tableKey(table.schema, table.table), table]));
  const marks: (string | undefined)[] = [];
  for (const name of tables) {
    const key = tableKey(name.schema, name.table);
    const [change, table] = [changes.get(key), known.get(key)];
    const rows = change === undefined ? undefined : await rowMark(send, name, change);
    onProgress?.(marks.length + 1, tables.length);
    marks.push(table === undefined || rows === undefined ? undefined : `${rows} ${structureMark(table)}`);
  }
  return marks;
}

async function readChanges(send: SendQuery, schemas: readonly string[]): Promise<ReadonlyMap<string, TableChange>> {
  const rows = await send(changesQuery(schemas));
  return new Map(
    rows.map(([schema, table, engine, time, age, bytes, options]) => [
      tableKey(String(schema), String(table)),
      {
        engine: String(engine).toLowerCase(),
        time: time === null ? undefined : String(time),
        age: Number(age),
        bytes: Number(bytes),
        isPartitioned: /partitioned/i.test(String(options)),
      },
    ]),
  );
}

/** Returns no rows if another session has locked the table. Rethrows other errors. */
function withoutMark(error: unknown): unknown[][] {
  if (error instanceof TimeoutError) return [];
  throw error;
}

async function rowMark(send: SendQuery, name: TableName, change: TableChange): Promise<string | undefined> {
  const isTimed = timedEngines.has(change.engine);
  if (!isTimed && !untimedEngines.has(change.engine)) return undefined;
  if (isTimed && change.time !== undefined && !change.isPartitioned)
    return change.age >= restSeconds ? `changed ${change.time}` : undefined;
  if (change.bytes > maxBytes) return undefined;
  const [[, checksum] = []] = await send(`CHECKSUM TABLE ${mysqlDialect.quoteTable(name)}`).catch(withoutMark);
  return checksum === null || checksum === undefined ? undefined : `checksum ${String(checksum)}`;
}

function structureMark({ estimatedRows: _, ...table }: TableStructure): string {
  return createHash("sha256").update(JSON.stringify(table)).digest("hex").slice(0, 16);
}
