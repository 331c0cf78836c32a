import type { DuckDBConnection } from "@duckdb/node-api";
import type {
  CatalogOptions,
  EngineConnection,
  RowStream,
  SafetyFinding,
  ServerInfo,
  StreamOptions,
} from "../../port/connector.ts";
import type { TableName, WarehouseStructure } from "../../port/structure.ts";
import { StatementAllowance } from "../../sessions/statement-allowance.ts";
import { ConnectionReader, type DuckDbReader } from "./catalog/catalog-query.ts";
import { readDuckDbMarks } from "./catalog/change-marks.ts";
import { inspectDuckDb } from "./catalog/inspect-safety.ts";
import { readDuckDbStructure } from "./catalog/read-structure.ts";
import { safeFunctions } from "./dialect/safe-functions.ts";
import { statementError } from "./session/errors.ts";
import type { DuckDbSession } from "./session/session.ts";
import { maxUses, SessionKeeper, type SessionOptions } from "./session/session-keeper.ts";
import { DuckDbRowStream, type StatementPlace } from "./stream/row-stream.ts";

/** As how many tables a statement counts, because it may read several tables and their values. */
const usesOfStatement = 2;

/** An open connection to a database file or to data files. Each statement runs on a separate DuckDB connection. */
export class DuckDbConnection implements EngineConnection {
  readonly server: ServerInfo;
  readonly #options: SessionOptions;
  readonly #keeper: SessionKeeper;
  readonly #streams = new Set<DuckDbRowStream>();
  #statements = 0;

  private constructor(options: SessionOptions, keeper: SessionKeeper, session: DuckDbSession) {
    this.#options = options;
    this.#keeper = keeper;
    const version = options.driver.version().replace(/^v/, "");
    this.server = { product: "DuckDB", version, defaultSchema: "main", catalog: session.catalog };
  }

  /** @throws ConfigError, NetworkError or AuthenticationError, in one sentence. */
  static async open(options: SessionOptions): Promise<DuckDbConnection> {
    const keeper = new SessionKeeper(options);
    const session = await keeper.acquire();
    keeper.release(session);
    return new DuckDbConnection(options, keeper, session);
  }

  get statements(): number {
    return this.#statements;
  }

  readStructure(schemas: readonly string[] | undefined, options: CatalogOptions = {}): Promise<WarehouseStructure> {
    return this.#read(options, (reader, session) =>
      readDuckDbStructure(reader, schemas, {
        problems: session.problems,
        functions: withoutMacros(session),
        isFiles: session.source.kind === "files",
        onProgress: options.onProgress,
      }),
    );
  }

  async readChangeMarks(
    tables: readonly TableName[],
    { signal, maxStatements = Number.POSITIVE_INFINITY, onProgress }: CatalogOptions = {},
  ): Promise<readonly (string | undefined)[]> {
    const marks: (string | undefined)[] = [];
    const before = this.#statements;
    for (let start = 0; start < tables.length; start += maxUses) {
      const some = tables.slice(start, start + maxUses);
      const onPart = (done: number) => onProgress?.(start + done, tables.length);
      const read = (reader: DuckDbReader, { source }: DuckDbSession) => readDuckDbMarks(reader, source, some, onPart);
      const left = maxStatements - (this.#statements - before);
      marks.push(...(await this.#read({ signal, maxStatements: left }, read, some.length)));
    }
    return marks;
  }

  /**
   * Lists the functions that only read, without macros of the database, which DuckDB calls instead of its own functions with the same name.
   */
  async readSafeFunctions(): Promise<ReadonlySet<string>> {
    const session = await this.#keeper.acquire();
    this.#keeper.release(session);
    return withoutMacros(session);
  }

  inspectSafety(): Promise<readonly SafetyFinding[]> {
    return this.#read({}, (reader, { source }) => inspectDuckDb(reader, source));
  }

  stream(sql: string, options: StreamOptions): RowStream {
    return new DuckDbRowStream(
      sql,
      options,
      new SharedPlace(this.#options.driver, this.#keeper, this.#streams, this.#count),
    );
  }

  /**
   * Closes the database until the next statement. An open database keeps the definition and the statistics of every column in memory, about
   * 5 KB for each column.
   */
  async rest(): Promise<void> {
    await this.#keeper.rest();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#streams].map((stream) => stream.close()));
    await this.#keeper.close();
  }

  readonly #count = (): void => {
    this.#statements += 1;
  };

  async #read<T>(
    { signal, maxStatements }: CatalogOptions,
    operation: (reader: DuckDbReader, session: DuckDbSession) => Promise<T>,
    uses = 1,
  ): Promise<T> {
    const session = await this.#keeper.acquire(uses);
    try {
      const allowance = new StatementAllowance(maxStatements);
      const onStatement = () => {
        allowance.take();
        this.#count();
      };
      const reader = new ConnectionReader(await session.connect(), signal, onStatement);
      try {
        return await operation(reader, session);
      } finally {
        reader.close();
      }
    } catch (cause) {
      throw statementError(cause);
    } finally {
      this.#keeper.release(session);
    }
  }
}

function withoutMacros({ guard }: DuckDbSession): ReadonlySet<string> {
  return new Set([...safeFunctions].filter((name) => !guard.macros.has(name)));
}

/** Runs a statement on the session that the connection's statements share. */
class SharedPlace implements StatementPlace {
  readonly driver: SessionOptions["driver"];
  readonly #keeper: SessionKeeper;
  readonly #streams: Set<DuckDbRowStream>;
  readonly #count: () => void;
  #session: DuckDbSession | undefined;

  constructor(
    driver: SessionOptions["driver"],
    keeper: SessionKeeper,
    streams: Set<DuckDbRowStream>,
    count: () => void,
  ) {
    this.driver = driver;
    this.#keeper = keeper;
    this.#streams = streams;
    this.#count = count;
  }

  async connect(stream: DuckDbRowStream): Promise<DuckDBConnection> {
    const session = await this.#keeper.acquire(usesOfStatement);
    this.#session = session;
    this.#count();
    try {
      const connection = await session.connect();
      this.#streams.add(stream);
      return connection;
    } catch (cause) {
      this.#keeper.release(session);
      throw statementError(cause);
    }
  }

  async check(connection: DuckDBConnection, sql: string): Promise<void> {
    await this.#session?.guard.check(connection, sql);
  }

  release(stream: DuckDbRowStream): void {
    this.#streams.delete(stream);
    if (this.#session !== undefined) this.#keeper.release(this.#session);
  }
}
