/** Facts in memory, as a scan would have measured them. */
import type { ColumnProfileFacts, ConnectionFacts, DriftEntry, FactsReader, JoinFacts, TableFacts } from "./facts.ts";
import { parseTableId } from "./parse-identifier.ts";

export class MemoryFacts implements FactsReader {
  #tables: ReadonlyMap<string, TableFacts>;
  #joins: readonly JoinFacts[];
  #version = 1;
  driftEntries: readonly DriftEntry[] = [];

  constructor(tables: readonly TableFacts[], joins: readonly JoinFacts[] = []) {
    this.#tables = sorted(tables);
    this.#joins = joins;
  }

  replace(tables: readonly TableFacts[], joins: readonly JoinFacts[] = this.#joins): void {
    this.#tables = sorted(tables);
    this.#joins = joins;
    this.#version += 1;
  }

  connections(): readonly ConnectionFacts[] {
    const names = [...new Set(Array.from(this.#tables.values(), ({ connection }) => connection))];
    return names.map((name) => {
      const tables = [...this.tables(name)];
      const columns = tables.reduce((sum, each) => sum + each.columns.length, 0);
      const scannedAt = "2026-01-02T03:04:05.000Z";
      const counts = { tables: tables.length, columns, joins: this.#joins.length };
      return { name, dialect: "sqlite", server: "SQLite 3", ...counts, scannedAt, unfinished: false };
    });
  }

  *tables(connection?: string): Iterable<TableFacts> {
    for (const table of this.#tables.values()) {
      if (connection === undefined || table.connection === connection) yield table;
    }
  }

  table(id: string): TableFacts | undefined {
    return this.#tables.get(id);
  }

  joins(table?: string): readonly JoinFacts[] {
    return this.#joins.filter(
      ({ from, to, status }) =>
        status !== "rejected" && (table === undefined || from.table === table || to.table === table),
    );
  }

  drift(): readonly DriftEntry[] {
    return this.driftEntries;
  }

  version(): string {
    return String(this.#version);
  }
}

function sorted(tables: readonly TableFacts[]): ReadonlyMap<string, TableFacts> {
  return new Map(tables.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((table) => [table.id, table]));
}

type GivenColumn = string | (Partial<ColumnProfileFacts> & { readonly name: string });

/** Creates a table with columns given by name, or with further facts. */
export function makeTable(
  id: string,
  columns: readonly GivenColumn[] = ["id"],
  more: Partial<TableFacts> = {},
): TableFacts {
  const path = parseTableId(id);
  if (path === undefined) throw new Error(`${id} is not the identifier of a table`);
  return {
    id,
    ...path,
    kind: "table",
    rows: 100,
    rowsAreExact: true,
    sample: "all rows",
    scannedAt: "2026-01-02T03:04:05.000Z",
    columns: columns.map(makeColumn),
    ...more,
  };
}

function makeColumn(given: GivenColumn): ColumnProfileFacts {
  const column = typeof given === "string" ? { name: given } : given;
  return { type: "text", nativeType: "text", nullable: true, ...column };
}

/** Creates a join from `connection.schema.table.column` to another column. */
export function makeJoin(from: string, to: string, more: Partial<JoinFacts> = {}): JoinFacts {
  const [left, right] = [from, to].map((each) => each.split("."));
  const end = (parts: readonly string[] = []) => ({ table: parts.slice(0, 3).join("."), columns: parts.slice(3) });
  return {
    id: `${from}>${to}`,
    from: end(left),
    to: end(right),
    origin: "found",
    status: "accepted",
    score: 0.97,
    relationship: "many-to-one",
    uniqueness: {
      from: { rows: 100, filled: 100, distinct: more.relationship === "one-to-one" ? 100 : 50, isExact: true },
      to: { rows: 50, filled: 50, distinct: 50, isExact: true },
    },
    ...more,
  };
}
