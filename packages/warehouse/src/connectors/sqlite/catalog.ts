import type { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { quoteSqliteName } from "./quote.ts";
import { prepareAndCollect } from "./read-tables.ts";

export interface CatalogTable {
  readonly name: string;
  /** A shadow table belongs to a virtual table. */
  readonly kind: "table" | "view" | "virtual" | "shadow";
  readonly isWithoutRowId: boolean;
}

export interface CatalogColumn {
  readonly name: string;
  readonly type: string;
  readonly notNull: boolean;
  /** The column's position in the key, from 1; 0 if it is not part of the key. */
  readonly keyPosition: number;
}

export interface CatalogForeignKey {
  readonly table: string;
  readonly parent: string;
  readonly columns: readonly string[];
  /** The parent's columns; undefined if the foreign key does not name them. */
  readonly parentColumns: readonly string[] | undefined;
}

const number = z.bigint().transform(Number);
const text = z.string().catch("");
const tableRow = z.tuple([z.string(), z.enum(["table", "view", "virtual", "shadow"]), number]);
const columnRow = z.tuple([z.string(), text, text, number, number, number]);
const uniqueRow = z.tuple([z.string(), z.string(), z.string().nullable()]);
const foreignRow = z.tuple([z.string(), number, z.string(), text, z.string().nullable()]);
const estimateRow = z.tuple([z.string(), z.coerce.string()]);

/** The source of a query that lists the user's tables. */
const userTables = `pragma_table_list t WHERE t.schema = 'main' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`;
const ordinary = `${userTables} AND t.type = 'table'`;

/** SQLite's value for columns that a virtual table hides. Generated columns have the values 2 and 3, and can be read like others. */
const hiddenByModule = 1;

/** The columns of a view or virtual table, and the tables that it reads. */
interface ProbedTable {
  readonly columns: readonly CatalogColumn[];
  /** The tables that SQLite reports to read for the view or virtual table. */
  readonly names: ReadonlySet<string>;
}

/** Reads the catalog of one file. */
export class DatabaseCatalog {
  readonly #database: DatabaseSync;
  readonly #onStatement: () => void;

  constructor(database: DatabaseSync, onStatement: () => void) {
    this.#database = database;
    this.#onStatement = onStatement;
  }

  readTables(): readonly CatalogTable[] {
    const sql = `SELECT t.name, t.type, t.wr FROM ${userTables} ORDER BY t.name`;
    return this.#rows(sql, tableRow).map(([name, kind, wr]) => ({ name, kind, isWithoutRowId: wr === 1 }));
  }

  /** Reads, by table, the statements that created the virtual tables. */
  readVirtualDefinitions(): ReadonlyMap<string, string> {
    const sql = "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'create virtual%'";
    return new Map(this.#rows(sql, z.tuple([z.string(), z.string()])));
  }

  /** Reads the columns of ordinary tables, by table. */
  readColumns(): ReadonlyMap<string, readonly CatalogColumn[]> {
    const from = ordinary.replace(" t WHERE", " t, pragma_table_xinfo(t.name, 'main') x WHERE");
    const sql = `SELECT t.name, x.name, x.type, x."notnull", x.pk, x.hidden FROM ${from} ORDER BY t.name, x.cid`;
    return groupColumns(this.#rows(sql, columnRow));
  }

  /** @throws if the view or virtual table cannot be read. */
  probe(table: string): ProbedTable {
    this.#onStatement();
    const select = `SELECT * FROM main.${quoteSqliteName(table)} LIMIT 0`;
    const { statement: declared, names } = prepareAndCollect(this.#database, select);
    const sql = `SELECT ?, x.name, x.type, x."notnull", x.pk, x.hidden FROM pragma_table_xinfo(?, 'main') x ORDER BY x.cid`;
    const rows = this.#rows(sql, columnRow, [table, table]);
    const types = new Map(declared.columns().map(({ name, type }) => [name, type ?? ""]));
    const columns = groupColumns(rows).get(table) ?? [];
    return { columns: columns.map((column) => ({ ...column, type: types.get(column.name) || column.type })), names };
  }

  /** Reads unique keys other than the primary key, by table. Keys over only some rows or over expressions are left out. */
  readUniqueKeys(): ReadonlyMap<string, readonly (readonly string[])[]> {
    const from = ordinary.replace(
      " t WHERE",
      " t, pragma_index_list(t.name, 'main') l, pragma_index_info(l.name, 'main') i WHERE",
    );
    const unique = `l."unique" = 1 AND l.partial = 0 AND l.origin <> 'pk'`;
    const sql = `SELECT t.name, l.name, i.name FROM ${from} AND ${unique} ORDER BY t.name, l.seq DESC, i.seqno`;
    const tables = Map.groupBy(this.#rows(sql, uniqueRow), ([table]) => table);
    return new Map([...tables].map(([table, rows]) => [table, keysOf(rows)]));
  }

  readForeignKeys(): readonly CatalogForeignKey[] {
    const from = ordinary.replace(" t WHERE", " t, pragma_foreign_key_list(t.name, 'main') f WHERE");
    const sql = `SELECT t.name, f.id, f."table", f."from", f."to" FROM ${from} ORDER BY t.name, f.id DESC, f.seq`;
    const rows = this.#rows(sql, foreignRow);
    return [...Map.groupBy(rows, ([table, id]) => `${id} ${table}`).values()].map((parts) => {
      const to = parts.map(([, , , , column]) => column).filter((column) => column !== null);
      return {
        table: parts[0]?.[0] ?? "",
        parent: parts[0]?.[2] ?? "",
        columns: parts.map(([, , , column]) => column),
        parentColumns: to.length === parts.length ? to : undefined,
      };
    });
  }

  /** Reads the row counts of the last ANALYZE, by table. Empty if ANALYZE was never run. */
  readEstimates(): ReadonlyMap<string, number> {
    const has = this.#rows("SELECT name FROM sqlite_schema WHERE name = 'sqlite_stat1'", z.tuple([z.string()]));
    if (has.length === 0) return new Map();
    const rows = this.#rows("SELECT tbl, stat FROM sqlite_stat1 WHERE tbl IS NOT NULL", estimateRow);
    const tables = Map.groupBy(rows, ([table]) => table);
    return new Map(
      [...tables].map(([table, stats]) => [
        table,
        Math.max(...stats.map(([, stat]) => Number.parseInt(stat, 10) || 0)),
      ]),
    );
  }

  #rows<Row extends z.ZodType>(sql: string, row: Row, values: readonly string[] = []): z.output<Row>[] {
    this.#onStatement();
    return z.array(row).parse(this.#database.prepare(sql).all(...values));
  }
}

function groupColumns(rows: readonly z.output<typeof columnRow>[]): ReadonlyMap<string, readonly CatalogColumn[]> {
  const tables = Map.groupBy(
    rows.filter(([, , , , , hidden]) => hidden !== hiddenByModule),
    ([table]) => table,
  );
  return new Map(
    [...tables].map(([table, columns]) => [
      table,
      columns.map(([, name, type, notNull, keyPosition]) => ({ name, type, notNull: notNull === 1, keyPosition })),
    ]),
  );
}

function keysOf(rows: readonly z.output<typeof uniqueRow>[]): readonly (readonly string[])[] {
  const indexes = [...Map.groupBy(rows, ([, index]) => index).values()];
  return indexes.flatMap((parts) => {
    const columns = parts.map(([, , column]) => column).filter((column) => column !== null);
    return columns.length === parts.length ? [columns] : [];
  });
}
