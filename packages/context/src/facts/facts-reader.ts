import type { DatabaseSync, SQLInputValue, SQLOutputValue } from "node:sqlite";
import type { ConnectionFacts, DriftEntry, FactsReader, JoinFacts, TableFacts } from "./facts.ts";
import { factsState } from "./facts-file.ts";
import { connectionSchema, driftSchema, joinSchema, keySchema, measuredSchema } from "./facts-schemas.ts";

type FactsRow = Record<string, SQLOutputValue>;

const selectTables = `SELECT facts, key FROM tables JOIN measured USING (id, fingerprint)`;

/** Reads the results of the last finished scan of each connection. Never waits for a running scan. */
export class SqliteFactsReader implements FactsReader {
  readonly #file: string;
  readonly #database: DatabaseSync;

  constructor(file: string, database: DatabaseSync) {
    this.#file = file;
    this.#database = database;
  }

  connections(): readonly ConnectionFacts[] {
    return this.#all(
      `SELECT name, facts,
        (SELECT count(*) FROM tables WHERE connection = name) AS tables,
        (SELECT total(columns) FROM tables WHERE connection = name) AS columns,
        (SELECT count(*) FROM joins WHERE connection = name AND NOT rejected) AS joins,
        EXISTS (SELECT 1 FROM scans WHERE connection = name) AS unfinished
        FROM connections ORDER BY name`,
    ).map((row) => ({
      ...connectionSchema.parse(JSON.parse(String(row.facts))),
      tables: Number(row.tables),
      columns: Number(row.columns),
      joins: Number(row.joins),
      unfinished: Number(row.unfinished) === 1,
    }));
  }

  *tables(connection?: string): Iterable<TableFacts> {
    const ids = connection === undefined ? this.#ids() : this.#ids(connection);
    for (const id of ids) {
      const facts = this.table(id);
      if (facts !== undefined) yield facts;
    }
  }

  table(id: string): TableFacts | undefined {
    const [row] = this.#all(`${selectTables} WHERE tables.id = ?`, id);
    return row && factsState.explain(this.#file, () => toTable(row));
  }

  joins(table?: string): readonly JoinFacts[] {
    const rows =
      table === undefined
        ? this.#all("SELECT facts FROM joins WHERE NOT rejected ORDER BY from_table, to_table, id")
        : this.#all(
            `SELECT facts FROM joins WHERE (from_table = ?1 OR to_table = ?1) AND NOT rejected
              ORDER BY from_table, to_table, id`,
            table,
          );
    return this.#parse(rows, (row) => joinSchema.parse(JSON.parse(String(row.facts))));
  }

  drift(connection: string): readonly DriftEntry[] {
    const rows = this.#all("SELECT entry FROM drift WHERE connection = ? ORDER BY place", connection);
    return this.#parse(rows, (row) => driftSchema.parse(JSON.parse(String(row.entry))));
  }

  version(): string {
    return this.#all("SELECT value FROM meta WHERE name IN ('file', 'version') ORDER BY name")
      .map(({ value }) => String(value))
      .join(".");
  }

  #ids(connection?: string): readonly string[] {
    const rows =
      connection === undefined
        ? this.#all("SELECT id FROM tables ORDER BY id")
        : this.#all("SELECT id FROM tables WHERE connection = ? ORDER BY id", connection);
    return rows.map(({ id }) => String(id));
  }

  #all(sql: string, ...values: SQLInputValue[]): readonly FactsRow[] {
    return factsState.explain(this.#file, () => this.#database.prepare(sql).all(...values));
  }

  #parse<T>(rows: readonly FactsRow[], parse: (row: FactsRow) => T): readonly T[] {
    return factsState.explain(this.#file, () => rows.map(parse));
  }
}

function toTable({ facts, key }: FactsRow): TableFacts {
  const measured = measuredSchema.parse(JSON.parse(String(facts)));
  return key === null ? measured : { ...measured, key: keySchema.parse(JSON.parse(String(key))) };
}
