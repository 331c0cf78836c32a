/** An engine for tests of the rules: in-memory SQLite, with a check that only replaces the names after FROM and JOIN. */
import { createHmac } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { InvalidRequestError } from "@bridle/protocol";
import { StatementRefusedError } from "@bridle/sql";
import { z } from "zod";
import type { Connector, EngineConnection, RowStream, StreamOptions } from "../../src/port/connector.ts";
import type { SqlDialect, StatementContext } from "../../src/port/dialect.ts";
import type { TableName, TableStructure, WarehouseStructure } from "../../src/port/structure.ts";
import type { WarehouseRow, WarehouseValue } from "../../src/port/values.ts";

const schema = z.strictObject({
  type: z.literal("simple").describe("The engine."),
  password: z.string().exactOptional().describe("The password."),
});

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;
/** Quotes the table of a schema, which is the table `schema/table` in the database. */
const quoteTable = ({ schema, table }: TableName) => quote(`${schema}/${table}`);

const dialect: SqlDialect = {
  id: "sqlite",
  quoteIdentifier: quote,
  quoteTable,
  quoteText: (text) => `'${text.replaceAll("'", "''")}'`,
  digest: (column, key) => `digest(${column}, '${key}')`,
  fence: "LIMIT -1",
  async check(statement: string, context: StatementContext): Promise<string> {
    if (!/^\s*(?:select|with)\b/i.test(statement)) {
      throw new StatementRefusedError("Only SELECT may run.", { reason: "not_a_read" });
    }
    const own = [...statement.matchAll(/(?:with|,)\s+(\w+)\s+as\s*\(/gi)].map(([, name]) => name);
    const reference = /\b(from|join)\s+([\w.]+)(?:\s+(?!on\b|where|group|order|limit|union|join)(\w+))?/gi;
    return statement.replaceAll(reference, (found, word: string, name: string, alias?: string) => {
      if (own.includes(name)) return found;
      const table = context.resolve(name.split("."));
      return `${word} ${table.relation ?? quoteTable(table)} AS ${quote(alias ?? table.table)}`;
    });
  },
  async checkCondition(condition, columns) {
    const words = condition.replaceAll(/'[^']*'/g, "").match(/[a-z_]\w*/gi) ?? [];
    const unknown = words.find((word) => !columns.includes(word) && !/^(?:and|or|not|is|null|in)$/i.test(word));
    if (unknown) throw new StatementRefusedError(`It names ${unknown}.`, { reason: "unknown_name" });
  },
  selectSample: (table, columns) => ({
    sql: `SELECT ${columns.map(quote).join(", ")} FROM ${quoteTable(table)}`,
    method: "all rows",
  }),
};

/** A table or view. Its rows are objects. */
export interface SimpleTable {
  /** The name in the form `schema.table`. */
  readonly name: string;
  readonly rows: readonly Readonly<Record<string, string | number | bigint | null>>[];
  /** The SELECT of a view. */
  readonly view?: string;
}

export class SimpleEngine implements EngineConnection {
  readonly server = { product: "Simple", version: "1", defaultSchema: "main", catalog: "shop" };
  /** Every statement that was sent. */
  readonly sent: string[] = [];
  /** The schemas that were requested each time the structure was read. */
  readonly asked: (readonly string[] | undefined)[] = [];
  readonly tables: TableStructure[] = [];
  isClosed = false;
  /** If set, every statement fails with this message. */
  failure: string | undefined;
  readonly #database = new DatabaseSync(":memory:", { readBigInts: true });

  constructor(tables: readonly SimpleTable[]) {
    this.#database.function("digest", { deterministic: true }, (value, key) =>
      value === null ? null : createHmac("sha256", String(key)).update(String(value)).digest("hex").slice(0, 16),
    );
    this.#database.function("fail_with", (text) => {
      throw new Error(`invalid input: "${text}" and value: ${text}, near 'digest'`);
    });
    for (const table of tables) this.add(table);
  }

  add({ name, rows, view }: SimpleTable): void {
    const [schema = "", table = ""] = name.split(".");
    const columns = Object.keys(rows[0] ?? {});
    const columnList = columns.map(quote).join(", ");
    const place = quoteTable({ schema, table });
    this.#database.exec(
      view === undefined ? `CREATE TABLE ${place} (${columnList})` : `CREATE VIEW ${place} AS ${view}`,
    );
    const insert =
      view === undefined && this.#database.prepare(`INSERT INTO ${place} VALUES (${columns.map(() => "?")})`);
    if (insert) for (const row of rows) insert.run(...Object.values(row));
    this.tables.push({
      schema,
      table,
      kind: view === undefined ? "table" : "view",
      columns: columns.map((column) => ({ name: column, type: "text", nativeType: "text", nullable: true })),
      primaryKey: [],
      uniqueKeys: [],
      foreignKeys: [],
    });
  }

  async readStructure(schemas: readonly string[] | undefined): Promise<WarehouseStructure> {
    this.asked.push(schemas);
    const tables = this.tables.filter((table) => schemas?.includes(table.schema) ?? true);
    return { tables, problems: [{ schema: "hr", table: "broken", problem: "It cannot be read." }] };
  }

  async readChangeMarks(tables: readonly TableName[]): Promise<readonly undefined[]> {
    return tables.map(() => undefined);
  }

  stream(sql: string, options: StreamOptions): RowStream {
    this.sent.push(sql);
    if (this.failure !== undefined) throw new InvalidRequestError(this.failure);
    return new SimpleRows(this.#database, sql, options);
  }

  get statements(): number {
    return this.sent.length;
  }

  async inspectSafety() {
    return [{ layer: "account", ok: true, message: "Nothing can be written." }] as const;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    if (this.#database.isOpen) this.#database.close();
  }
}

class SimpleRows implements RowStream {
  truncated: "rows" | "bytes" | undefined;
  readonly #database: DatabaseSync;
  readonly #sql: string;
  readonly #options: StreamOptions;

  constructor(database: DatabaseSync, sql: string, options: StreamOptions) {
    this.#database = database;
    this.#sql = sql;
    this.#options = options;
  }

  async columns() {
    return this.#prepare()
      .columns()
      .map(({ name }) => ({ name, type: "text", nativeType: "text" }) as const);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly WarehouseRow[]> {
    const rows = this.#run();
    if (rows.length > this.#options.maxRows) this.truncated = "rows";
    yield rows.slice(0, this.#options.maxRows);
  }

  #prepare() {
    try {
      return this.#database.prepare(this.#sql);
    } catch (error) {
      throw new InvalidRequestError(String(error instanceof Error ? error.message : error));
    }
  }

  #run(): readonly WarehouseRow[] {
    const statement = this.#prepare();
    try {
      statement.setReturnArrays(true);
      return statement.all() as unknown as WarehouseValue[][]; // the rows are arrays because of the setting above
    } catch (error) {
      throw new InvalidRequestError(String(error instanceof Error ? error.message : error));
    }
  }
}

/** Creates a connector with this engine as its only connection. */
export function simpleConnector(engine: SimpleEngine): Connector<typeof schema> {
  return {
    type: "simple",
    schema,
    example: { type: "simple" },
    secrets: { keys: ["password"] },
    dialect,
    describe: () => "memory",
    connect: async () => engine,
  };
}
