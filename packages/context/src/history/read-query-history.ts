/** Reads the statements that people sent, to find out how they use tables. Has no side effects. */
import { logSyntaxOf, readStatementTree, UnreadStatementError } from "@bridle/sql";
import type { DialectId } from "@bridle/warehouse";
import { SelectCollector } from "./collect-select.ts";
import type { HistoryTable, LoggedStatement, QueryHistory } from "./query-history.ts";
import { TableNamesOfHistory } from "./statement-scope.ts";
import { TableUsageCounter } from "./table-usage-counter.ts";

export interface ReadHistoryOptions {
  /** The tables of the database, with their columns. */
  readonly tables: readonly HistoryTable[];
  readonly dialect: DialectId;
}

const own = /\/\*\s*bridle\s*\*\/|\bwith\s+(?:recursive\s+)?["`[]metric_/i;

/**
 * Counts how statements that ran use each table: aggregates, conditions, groups and joins. The result contains no value of a sensitive
 * column. Statements that cannot be read are only counted.
 *
 * @example
 * const { tables } = readQueryHistory([{ sql: "SELECT sum(total) FROM orders WHERE status = 'paid'", runs: 12 }], {
 *   tables: [{ schema: "main", table: "orders", columns: [{ name: "total", isSensitive: false }] }],
 *   dialect: "sqlite",
 * });
 */
export function readQueryHistory(
  rows: readonly LoggedStatement[],
  { tables, dialect }: ReadHistoryOptions,
): QueryHistory {
  const names = new TableNamesOfHistory(tables);
  const counters = new Map<HistoryTable, TableUsageCounter>();
  const counterOf = (table: HistoryTable) => {
    const counter = counters.get(table) ?? new TableUsageCounter(table);
    counters.set(table, counter);
    return counter;
  };
  const normals = new Set<string>();
  let [runs, unread] = [0, 0];
  for (const [index, { sql, runs: own = 1 }] of rows.entries()) {
    if (isOwnStatement(sql)) continue;
    const normal = readOne(sql, { id: String(index), runs: own }, dialect, names, counterOf);
    if (normal === undefined) unread += 1;
    else {
      normals.add(normal);
      runs += own;
    }
  }
  const used = [...counters.values()].map((counter) => counter.result());
  const ranked = used.filter((table) => table.runs > 0).toSorted((a, b) => b.runs - a.runs);
  return { tables: ranked, statements: normals.size, runs, unread };
}

/** Whether Bridle sent a statement itself. Such a statement does not show how people use the tables. */
export function isOwnStatement(sql: string): boolean {
  return own.test(sql);
}

/**
 * Counts the uses in one statement. Returns the statement without its literals; undefined if it cannot be read, or names none of the
 * tables.
 */
function readOne(
  sql: string,
  { id, runs }: { readonly id: string; readonly runs: number },
  dialect: DialectId,
  names: TableNamesOfHistory,
  counterOf: (table: HistoryTable) => TableUsageCounter,
): string | undefined {
  try {
    const { queries, normal } = readStatementTree(sql, logSyntaxOf(dialect));
    const collector = new SelectCollector(names, counterOf, { id, normal, runs });
    for (const query of queries) collector.query(query);
    return collector.isUsed ? normal : undefined;
  } catch (error) {
    if (error instanceof UnreadStatementError) return undefined;
    throw error;
  }
}
