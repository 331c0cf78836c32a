import { DatabaseSync } from "node:sqlite";
import type {
  DialectId,
  EngineConnection,
  RowStream,
  SqlDialect,
  StreamOptions,
  TableName,
  TableProblem,
  TableStructure,
  ValueType,
  Warehouse,
  WarehouseRow,
  WarehouseValue,
} from "@bridle/warehouse";
import { findDialect } from "../../src/facts/find-dialect.ts";

interface WarehouseSettings {
  readonly marked?: Readonly<Record<string, boolean>>;
  /** Row filters by table. */
  readonly filters?: Readonly<Record<string, string>>;
  /** Called before each statement; may throw an error instead. */
  readonly onStatement?: (sql: string) => void;
  /** Called with the limits of each statement. */
  readonly onStream?: (options: StreamOptions) => void;
  /** Whether the warehouse has change markers: the number of rows and the sum of row numbers. */
  readonly marks?: boolean;
  /** The dialect in which SQL is written. Default: SQLite's. */
  readonly dialect?: SqlDialect;
  /** Rewrites a statement in another dialect for SQLite. */
  readonly translate?: (sql: string) => string;
}

/** A warehouse over a SQLite file, for tests of the layers above the connectors. It logs its statements. */
export class SqliteWarehouse implements Warehouse {
  readonly name = "w";
  readonly server = { product: "SQLite", version: "3" };
  readonly engine: EngineConnection;
  readonly sensitive = new Set<string>();
  /** Tables outside the scope. */
  readonly hidden = new Set<string>();
  readonly statements: string[] = [];
  readonly database: DatabaseSync;
  readonly #settings: WarehouseSettings;
  readonly #dialect: SqlDialect;

  constructor(file: string, settings: WarehouseSettings = {}) {
    this.database = new DatabaseSync(file);
    this.#dialect = settings.dialect ?? findDialect({ dialect: "sqlite" });
    this.#settings = settings;
    this.engine = new SqliteEngine(this.database, this.statements, settings);
  }

  get dialect(): DialectId {
    return this.#dialect.id;
  }

  async readStructure() {
    const { tables, problems } = await this.engine.readStructure(undefined);
    return { tables: tables.filter((table) => this.isInScope(table)), problems };
  }

  async query(): Promise<never> {
    throw new Error("A scan does not ask for checked statements.");
  }

  isInScope({ table }: TableName): boolean {
    return !this.hidden.has(table);
  }

  filterOf({ table }: TableName): string | undefined {
    return this.#settings.filters?.[table];
  }

  relationOf(table: TableName): string {
    const filter = this.filterOf(table);
    const quoted = this.#dialect.quoteTable(table);
    return filter === undefined ? quoted : `(SELECT * FROM ${quoted} WHERE ${filter})`;
  }

  markedSensitive({ table, column }: TableName & { readonly column: string }): boolean | undefined {
    return this.#settings.marked?.[`${table}.${column}`];
  }

  addSensitive(columns: readonly (TableName & { readonly column: string })[]): void {
    for (const { table, column } of columns) this.sensitive.add(`${table}.${column}`);
  }

  async inspectSafety() {
    return [];
  }

  async findUnusedPatterns() {
    return [];
  }

  async findLeftOutViews() {
    return [];
  }

  async close(): Promise<void> {
    if (this.database.isOpen) this.database.close();
  }
}

class SqliteEngine implements EngineConnection {
  readonly server = { product: "SQLite", version: "3" };
  readonly #database: DatabaseSync;
  readonly #log: string[];
  readonly #settings: WarehouseSettings;

  constructor(database: DatabaseSync, log: string[], settings: WarehouseSettings) {
    this.#database = database;
    this.#log = log;
    this.#settings = settings;
  }

  get statements(): number {
    return this.#log.length;
  }

  async readStructure() {
    const rows = this.#database
      .prepare("SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'")
      .all();
    const tables: TableStructure[] = [];
    const problems: TableProblem[] = [];
    for (const { name, type } of rows) {
      try {
        tables.push(this.#readTable(String(name), String(type)));
      } catch (error) {
        problems.push({ schema: "main", table: String(name), problem: error instanceof Error ? error.message : "" });
      }
    }
    return { tables, problems };
  }

  async readChangeMarks(tables: readonly TableName[]) {
    if (this.#settings.marks === false) return tables.map(() => undefined);
    return tables.map(({ table }) => {
      try {
        const row = this.#database.prepare(`SELECT count(*) AS n, total(rowid) AS s FROM ${quote(table)}`).get();
        return `${row?.n} ${row?.s}`;
      } catch {
        return "view";
      }
    });
  }

  stream(sql: string, options: StreamOptions): RowStream {
    const { maxRows, maxStatements = 1 } = options;
    if (maxStatements < 1) throw new Error("The scan sends a statement that its budget does not allow.");
    this.#log.push(sql);
    this.#settings.onStream?.(options);
    return new Rows(this.#database, sql, maxRows, this.#settings);
  }

  async inspectSafety() {
    return [];
  }

  async close(): Promise<void> {}

  #readTable(name: string, type: string): TableStructure {
    const info = this.#database.prepare(`PRAGMA table_info(${quote(name)})`).all();
    const keys = this.#database.prepare(`PRAGMA foreign_key_list(${quote(name)})`).all();
    return {
      schema: "main",
      table: name,
      kind: type === "view" ? "view" : "table",
      columns: info.map((row) => ({
        name: String(row.name),
        type: typeOf(String(row.type)),
        nativeType: String(row.type),
        nullable: Number(row.notnull) === 0,
      })),
      primaryKey: info.filter(({ pk }) => Number(pk) > 0).map((row) => String(row.name)),
      uniqueKeys: [],
      foreignKeys: keys.map((row) => ({
        columns: [String(row.from)],
        references: { schema: "main", table: String(row.table), columns: [String(row.to)] },
      })),
    };
  }
}

class Rows implements RowStream {
  truncated: RowStream["truncated"];
  readonly #database: DatabaseSync;
  readonly #sql: string;
  readonly #maxRows: number;
  readonly #settings: WarehouseSettings;

  constructor(database: DatabaseSync, sql: string, maxRows: number, settings: WarehouseSettings) {
    this.#database = database;
    this.#sql = sql;
    this.#maxRows = maxRows;
    this.#settings = settings;
  }

  async columns() {
    return [];
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly WarehouseRow[]> {
    this.#settings.onStatement?.(this.#sql);
    const statement = this.#database.prepare(this.#settings.translate?.(this.#sql) ?? this.#sql);
    statement.setReadBigInts(true);
    statement.setReturnArrays(true);
    let rows = 0;
    for (const row of statement.iterate()) {
      if (rows++ >= this.#maxRows) {
        this.truncated = "rows";
        return;
      }
      yield [Object.values(row) as WarehouseValue[]]; // setReturnArrays makes each row an array
    }
  }
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function typeOf(native: string): ValueType {
  const type = native.toLowerCase();
  if (type.includes("int")) return "integer";
  if (/real|floa|doub/.test(type)) return "float";
  if (/dec|num/.test(type)) return "decimal";
  return /^date$/.test(type) ? "date" : type.includes("blob") ? "bytes" : "text";
}
