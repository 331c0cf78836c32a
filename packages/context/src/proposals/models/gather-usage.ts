import type { Warehouse } from "@bridle/warehouse";
import { formatTableId } from "../../facts/identifiers.ts";
import type { LoggedStatement, TableUsage } from "../../history/query-history.ts";
import { readQueryHistory } from "../../history/read-query-history.ts";
import type { KnownTable } from "../../knowledge/known.ts";

/** A summary of the statements that ran on a connection. */
export interface HistorySummary {
  readonly connection: string;
  /** Where the statements come from, such as `pg_stat_statements` or a file name. */
  readonly source: string;
  readonly statements: number;
  readonly runs: number;
  /** The number of statements that name none of the tables, are not queries, or cannot be parsed. */
  readonly unread: number;
  /** The number of statements that the account may not see. */
  readonly hidden: number;
}

/** Statements from a log that the user named. */
export interface GivenHistory {
  readonly source: string;
  readonly statements: readonly LoggedStatement[];
}

export interface GatheredUsage {
  /** How statements use each table, by table identifier. */
  readonly tables: ReadonlyMap<string, TableUsage>;
  readonly summaries: readonly HistorySummary[];
}

interface GatherOptions {
  /** Default: the statements that the engines remember. */
  readonly history?: GivenHistory | undefined;
  openWarehouse(name: string, signal?: AbortSignal): Promise<Warehouse>;
  readonly signal?: AbortSignal | undefined;
}

/** Gathers how statements that ran use the tables. Rejects with the warehouse's BridleError. */
export async function gatherUsage(
  tables: readonly KnownTable[],
  { history, openWarehouse, signal }: GatherOptions,
): Promise<GatheredUsage> {
  const found = new Map<string, TableUsage>();
  const summaries: HistorySummary[] = [];
  for (const [connection, own] of Map.groupBy(tables, (table) => table.connection)) {
    const warehouse = await openWarehouse(connection, signal);
    const log = history ? { ...history, hidden: 0 } : await warehouse.engine.readStatementLog?.(signal);
    if (log === undefined) continue;
    const read = readQueryHistory(log.statements, { tables: own.map(toHistoryTable), dialect: warehouse.dialect });
    for (const usage of read.tables) found.set(formatTableId({ connection, ...usage }), usage);
    const { statements, runs, unread } = read;
    summaries.push({ connection, source: log.source, statements, runs, unread, hidden: log.hidden });
  }
  return { tables: found, summaries };
}

function toHistoryTable({ schema, table, columns }: KnownTable) {
  const list = columns.map(({ name, sensitive }) => ({ name, isSensitive: sensitive !== undefined }));
  return { schema, table, columns: list };
}
