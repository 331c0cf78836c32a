import type {
  CatalogOptions,
  ConnectContext,
  EngineConnection,
  RowStream,
  SafetyFinding,
  ServerInfo,
  StreamOptions,
} from "../../../port/connector.ts";
import type { TableName, WarehouseStructure } from "../../../port/structure.ts";
import { StatementRows } from "../../../rows/statement-rows.ts";
import { SessionPool } from "../../../sessions/session-pool.ts";
import { readCatalog, type SendQuery } from "../../../sessions/session-queries.ts";
import { SessionStatement } from "../../../sessions/session-statement.ts";
import { readMySqlMarks } from "../catalog/change-marks.ts";
import { inspectMySqlSafety } from "../catalog/safety.ts";
import { readMySqlStructure } from "../catalog/structure.ts";
import type { MySqlConfig } from "../mysql-settings.ts";
import { MySqlDriver } from "./driver.ts";
import { MySqlControl } from "./mysql-control.ts";
import { MySqlSession } from "./mysql-session.ts";
import type { MySqlProduct } from "./product.ts";
import { catalogTimeoutMs } from "./send-on.ts";

export async function openMySql(config: MySqlConfig, context: ConnectContext): Promise<EngineConnection> {
  const driver = await MySqlDriver.load(config, context);
  const control = new MySqlControl(driver);
  const pool = new SessionPool(async () => MySqlSession.start(await driver.open(), control));
  const product = await pool.use(async (session) => session.product, context.signal);
  return new MySqlConnection(pool, control, product, config.database);
}

class MySqlConnection implements EngineConnection {
  readonly server: ServerInfo;
  readonly #pool: SessionPool<MySqlSession>;
  readonly #control: MySqlControl;
  readonly #product: MySqlProduct;

  constructor(
    pool: SessionPool<MySqlSession>,
    control: MySqlControl,
    product: MySqlProduct,
    database: string | undefined,
  ) {
    this.#pool = pool;
    this.#control = control;
    this.#product = product;
    this.server = { ...product, defaultSchema: database };
  }

  get statements(): number {
    return this.#pool.statements;
  }

  readStructure(schemas: readonly string[] | undefined, options?: CatalogOptions): Promise<WarehouseStructure> {
    return this.#read((send) => readMySqlStructure(send, this.#product, schemas), options);
  }

  readChangeMarks(tables: readonly TableName[], options?: CatalogOptions): Promise<readonly (string | undefined)[]> {
    const schemas = [...new Set(tables.map(({ schema }) => schema))];
    return this.#read(
      async (send) =>
        readMySqlMarks(send, await readMySqlStructure(send, this.#product, schemas), tables, options?.onProgress),
      options,
    );
  }

  stream(sql: string, options: StreamOptions): RowStream {
    return new StatementRows(() => SessionStatement.start(this.#pool, sql, options), options);
  }

  inspectSafety(): Promise<readonly SafetyFinding[]> {
    return this.#read((send) => inspectMySqlSafety(send, this.#product));
  }

  async close(): Promise<void> {
    await this.#pool.close();
    await this.#control.close();
  }

  #read<T>(work: (send: SendQuery) => Promise<T>, options?: CatalogOptions): Promise<T> {
    return readCatalog(
      this.#pool,
      async (send, session) => {
        await session.begin(catalogTimeoutMs);
        return work(send);
      },
      options,
    );
  }
}
