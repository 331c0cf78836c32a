import { StoppedError } from "@bridle/protocol";
import type {
  ConnectContext,
  EngineConnection,
  RowStream,
  SafetyFinding,
  ServerInfo,
  StreamOptions,
} from "../../../port/connector.ts";
import type { TableName, WarehouseStructure } from "../../../port/structure.ts";
import { readMySqlMarks } from "../catalog/change-marks.ts";
import { inspectMySqlSafety } from "../catalog/safety.ts";
import { readMySqlStructure } from "../catalog/structure.ts";
import type { MySqlConfig } from "../mysql-settings.ts";
import { MySqlDriver } from "./driver.ts";
import { MySqlRows } from "./mysql-rows.ts";
import type { MySqlSession } from "./mysql-session.ts";
import { MySqlPool } from "./session-pool.ts";

/** Time for one query of the catalogue. */
const catalogTimeoutMs = 120_000;

export async function openMySql(config: MySqlConfig, context: ConnectContext): Promise<EngineConnection> {
  const driver = await MySqlDriver.load(config, context);
  return new MySqlConnection(await MySqlPool.open(driver), config.database);
}

class MySqlConnection implements EngineConnection {
  readonly server: ServerInfo;
  readonly #pool: MySqlPool;

  constructor(pool: MySqlPool, database: string | undefined) {
    this.#pool = pool;
    this.server = { ...pool.product, defaultSchema: database };
  }

  get statements(): number {
    return this.#pool.statements;
  }

  readStructure(schemas: readonly string[] | undefined, signal?: AbortSignal): Promise<WarehouseStructure> {
    return this.#with((session) => readMySqlStructure(this.#sender(session), this.#pool.product, schemas), signal);
  }

  readChangeMarks(tables: readonly TableName[], signal?: AbortSignal): Promise<readonly (string | undefined)[]> {
    const schemas = [...new Set(tables.map(({ schema }) => schema))];
    return this.#with(async (session) => {
      const send = this.#sender(session);
      return readMySqlMarks(send, await readMySqlStructure(send, this.#pool.product, schemas), tables);
    }, signal);
  }

  stream(sql: string, options: StreamOptions): RowStream {
    return new MySqlRows(this.#pool, sql, options);
  }

  inspectSafety(): Promise<readonly SafetyFinding[]> {
    return this.#with((session) => inspectMySqlSafety(this.#sender(session), this.#pool.product));
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  #sender(session: MySqlSession) {
    return (sql: string): Promise<unknown[][]> => {
      this.#pool.statements += 1;
      return session.send(sql);
    };
  }

  /** Queries of the connector itself, on a session of their own. */
  async #with<T>(work: (session: MySqlSession) => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (signal?.aborted) throw new StoppedError("Reading the catalogue was stopped.", { by: "signal" });
    const session = await this.#pool.acquire();
    const stop = () => void this.#pool.interrupt(session);
    signal?.addEventListener("abort", stop);
    try {
      await session.begin(catalogTimeoutMs);
      return await work(session);
    } catch (error) {
      if (signal?.aborted) throw new StoppedError("Reading the catalogue was stopped.", { by: "signal", cause: error });
      throw error;
    } finally {
      signal?.removeEventListener("abort", stop);
      await this.#pool.release(session);
    }
  }
}
