import type { SelectTree, SourceTree } from "@bridle/sql";
import type { HistoryTable } from "./query-history.ts";

export interface ResolvedColumn {
  readonly table: HistoryTable;
  readonly column: string;
  /** The position of the column's table among the sources of the SELECT. A table may be a source twice. */
  readonly source: number;
}

interface ScopedSource {
  readonly name: string;
  readonly table: HistoryTable | undefined;
}

/** Finds tables by the names that statements use, ignoring case. */
export class TableNamesOfHistory {
  readonly #byName = new Map<string, HistoryTable[]>();

  constructor(tables: readonly HistoryTable[]) {
    for (const table of tables) {
      const parts = [...table.schema.split("."), table.table].map((part) => part.toLowerCase());
      for (let from = 0; from < parts.length; from += 1) {
        const key = parts.slice(from).join(".");
        this.#byName.set(key, [...(this.#byName.get(key) ?? []), table]);
      }
    }
  }

  /**
   * Returns the table with a name such as `orders`, `shop.orders` or `database.shop.orders`. Undefined if no table has the name, or several
   * have it.
   */
  find(path: readonly string[]): HistoryTable | undefined {
    for (let from = 0; from < path.length; from += 1) {
      const found = this.#byName.get(path.slice(from).join(".").toLowerCase());
      if (found !== undefined) return found.length === 1 ? found[0] : undefined;
    }
    return undefined;
  }
}

/** The meaning of names within one SELECT. */
export class StatementScope {
  readonly sources: readonly ScopedSource[];

  /** `common` has the names of common table expressions, which hide tables of the same names. */
  constructor(select: SelectTree, tables: TableNamesOfHistory, common: ReadonlySet<string>) {
    this.sources = select.sources.map((source) => ({
      name: nameOfSource(source),
      table: tableOf(source, tables, common),
    }));
  }

  /**
   * Returns the column with a name. For a name without a table, returns a column if exactly one table has it and every source is a known
   * table.
   */
  resolve(path: readonly string[]): ResolvedColumn | undefined {
    const name = path.at(-1)?.toLowerCase() ?? "";
    const owner = path.slice(0, -1).at(-1)?.toLowerCase();
    const isOpen = owner === undefined && this.sources.some(({ table }) => table === undefined);
    const found = this.sources.flatMap(({ name: source, table }, at) => {
      const column = table?.columns.find((each) => each.name.toLowerCase() === name)?.name;
      const isMeant = owner === undefined || source === owner;
      return table && column !== undefined && isMeant ? [{ table, column, source: at }] : [];
    });
    return found.length === 1 && !isOpen ? found[0] : undefined;
  }

  columnOf(source: number, name: string): ResolvedColumn | undefined {
    const table = this.sources[source]?.table;
    const column = table?.columns.find((each) => each.name.toLowerCase() === name.toLowerCase())?.name;
    return table && column !== undefined ? { table, column, source } : undefined;
  }
}

function nameOfSource(source: SourceTree): string {
  const path = source.kind === "table" ? source.path : [];
  return (source.alias ?? path.at(-1) ?? "").toLowerCase();
}

function tableOf(
  source: SourceTree,
  tables: TableNamesOfHistory,
  common: ReadonlySet<string>,
): HistoryTable | undefined {
  if (source.kind !== "table") return undefined;
  const isCommon = source.path.length === 1 && common.has(source.path[0]?.toLowerCase() ?? "");
  return isCommon ? undefined : tables.find(source.path);
}
