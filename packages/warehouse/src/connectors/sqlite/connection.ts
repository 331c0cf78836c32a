import { basename } from "node:path";
import type {
  CatalogOptions,
  EngineConnection,
  RowStream,
  SafetyFinding,
  ServerInfo,
  StreamOptions,
} from "../../port/connector.ts";
import type { TableName, WarehouseStructure } from "../../port/structure.ts";
import { SessionPool } from "../../sessions/session-pool.ts";
import { StatementAllowance } from "../../sessions/statement-allowance.ts";
import { stoppedBy } from "./explain.ts";
import { inspectFile } from "./inspect-file.ts";
import { SqliteRowStream } from "./process/row-stream.ts";
import { SqliteProcess } from "./process/sqlite-process-client.ts";

/**
 * The time limit for reading a catalog, in milliseconds: longer than any catalog takes. A process that does not answer in this time is
 * ended.
 */
const catalogMs = 120_000;

/** A SQLite file that is open for reading in other processes. There is one process for each simultaneous statement. */
export class SqliteConnection implements EngineConnection {
  readonly server: ServerInfo;
  readonly #file: string;
  readonly #pool: SessionPool<SqliteProcess>;

  private constructor(file: string, pool: SessionPool<SqliteProcess>, version: string) {
    this.#file = file;
    this.#pool = pool;
    this.server = { product: "SQLite", version, defaultSchema: "main" };
  }

  /** @throws ConfigError if the file is missing or is not a database; TimeoutError if it is locked. */
  static async open(file: string, signal: AbortSignal | undefined): Promise<SqliteConnection> {
    if (signal?.aborted) throw stoppedBy(signal);
    const pool = new SessionPool(() => SqliteProcess.open(file));
    try {
      const version = await pool.use(async (process) => process.version);
      if (signal?.aborted) throw stoppedBy(signal);
      return new SqliteConnection(file, pool, version);
    } catch (error) {
      await pool.close();
      throw error;
    }
  }

  get statements(): number {
    return this.#pool.statements;
  }

  async readStructure(
    schemas: readonly string[] | undefined,
    { signal, maxStatements: max }: CatalogOptions = {},
  ): Promise<WarehouseStructure> {
    if (schemas !== undefined && !schemas.some((schema) => schema.toLowerCase() === "main")) {
      return { tables: [], problems: [] };
    }
    return this.#pool.use(async (process) => {
      const reply = await process.ask({ do: "structure", max }, "structure", { timeoutMs: catalogMs, signal });
      this.#pool.statements += reply.statements;
      if (reply.structure === undefined) new StatementAllowance(0).take();
      return reply.structure ?? { tables: [], problems: [] };
    }, signal);
  }

  async readChangeMarks(
    tables: readonly TableName[],
    { signal, maxStatements }: CatalogOptions = {},
  ): Promise<readonly (string | undefined)[]> {
    new StatementAllowance(maxStatements).take();
    return this.#pool.use(async (process) => {
      const reply = await process.ask({ do: "marks", tables }, "marks", { timeoutMs: catalogMs, signal });
      this.#pool.statements += reply.statements;
      return tables.map((_, index) => reply.marks[index]);
    }, signal);
  }

  stream(sql: string, options: StreamOptions): RowStream {
    return new SqliteRowStream(this.#pool, basename(this.#file), sql, options);
  }

  async inspectSafety(): Promise<readonly SafetyFinding[]> {
    return inspectFile(this.#file);
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }
}
