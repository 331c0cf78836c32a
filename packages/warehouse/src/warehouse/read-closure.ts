import type { ReadTables, TableName, TableStructure, WarehouseStructure } from "../port/structure.ts";
import { isOfEngine } from "./engine-tables.ts";
import { readTablesOf } from "./scope.ts";

/**
 * Returns the tables of a structure. In the result, each view's `reads` contains all tables that the view reads, directly or through other
 * views.
 */
export function closeReads(structure: WarehouseStructure): readonly TableStructure[] {
  const closure = new ReadClosure(structure);
  return structure.tables.map((table) => {
    const reads = closure.of(table);
    return reads === undefined ? table : { ...table, reads };
  });
}

/**
 * Follows the tables that views read. The tables are unknown if a view reads the engine's catalog, or another view whose definition is
 * unknown.
 */
class ReadClosure {
  readonly #tables: ReadonlyMap<string, TableStructure>;
  readonly #unreadableViews: ReadonlySet<string>;

  constructor({ tables, problems }: WarehouseStructure) {
    this.#tables = new Map(tables.map((table) => [idOf(table), table]));
    this.#unreadableViews = new Set(problems.filter(({ kind }) => kind === "view").map(idOf));
  }

  of(table: TableStructure): ReadTables | undefined {
    const direct = readTablesOf(table);
    if (direct === undefined || direct === "unknown") return direct;
    const found = new Map<string, TableName>();
    const open = [...direct];
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      const id = idOf(name);
      if (found.has(id)) continue;
      found.set(id, { schema: name.schema, table: name.table });
      const next = this.#directReads(name, id);
      if (next === "unknown") return "unknown";
      open.push(...next);
    }
    return [...found.values()].sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
  }

  #directReads(name: TableName, id: string): ReadTables {
    if (this.#unreadableViews.has(id) || isOfEngine(name)) return "unknown";
    const table = this.#tables.get(id);
    return (table && readTablesOf(table)) ?? [];
  }
}

function idOf({ schema, table }: TableName): string {
  return JSON.stringify([schema.toLowerCase(), table.toLowerCase()]);
}
