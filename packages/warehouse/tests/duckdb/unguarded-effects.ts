/** Runs statements on a DuckDB file without any protection, to show that the refused statements really have effects. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";

/** Observes the effects of a statement on a database, its connection, and the files of its folder. */
export class UnguardedDatabase {
  readonly #folder: string;
  readonly #connection: DuckDBConnection;
  readonly #instance: DuckDBInstance;

  private constructor(folder: string, instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#folder = folder;
    this.#instance = instance;
    this.#connection = connection;
  }

  /** Opens a file for writing. `folder` is empty or contains the files that a statement may read. */
  static async open(file: string, folder: string): Promise<UnguardedDatabase> {
    const settings = { secret_directory: join(folder, "secrets"), extension_directory: join(folder, "extensions") };
    const instance = await DuckDBInstance.create(file, settings);
    return new UnguardedDatabase(folder, instance, await instance.connect());
  }

  /** Whether a statement changes something, or returns the secret in the files next to the database. */
  async hasEffect(sql: string, secret: string): Promise<boolean> {
    const before = await this.#state();
    const rows = await this.#rows(sql).catch(String);
    return rows.includes(secret) || (await this.#state()) !== before;
  }

  close(): void {
    this.#connection.disconnectSync();
    this.#instance.closeSync();
  }

  async #rows(sql: string): Promise<string> {
    const rows = (await this.#connection.runAndReadAll(sql)).getRowsJson();
    return JSON.stringify(rows);
  }

  async #state(): Promise<string> {
    const parts = [
      "SELECT * EXCLUDE (estimated_size) FROM duckdb_tables()",
      "SELECT schema_name, view_name, sql FROM duckdb_views() WHERE NOT internal",
      "SELECT function_name, macro_definition FROM duckdb_functions() WHERE NOT internal",
      "SELECT schema_name, type_name FROM duckdb_types() WHERE NOT internal",
      "SELECT index_name FROM duckdb_indexes()",
      "SELECT sequence_name, last_value FROM duckdb_sequences()",
      "SELECT database_name FROM duckdb_databases()",
      "SELECT name, value FROM duckdb_settings()",
      "SELECT name FROM duckdb_secrets()",
      "SELECT list(o ORDER BY id) FROM main.orders o",
      "SELECT list(o ORDER BY id) FROM sales.orders o",
      "SELECT list(c ORDER BY id) FROM main.customers c",
    ];
    const found: string[] = [];
    for (const sql of parts) found.push(await this.#rows(sql).catch(() => "gone"));
    return [...found, ...this.#files()].join("\n");
  }

  /** Lists the files. The database itself is left out, because its log grows with each statement. */
  #files(): readonly string[] {
    const names = readdirSync(this.#folder, { recursive: true, encoding: "utf8" }).sort();
    const files = names.filter((name) => !name.startsWith("copy") && statSync(join(this.#folder, name)).isFile());
    return files.map((name) => `${name} ${readFileSync(join(this.#folder, name)).toString("base64")}`);
  }
}
