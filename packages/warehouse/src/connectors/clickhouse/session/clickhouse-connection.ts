import { ConfigError } from "@bridle/protocol";
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
import { throwIfStopped } from "../../../sessions/session-pool.ts";
import type { SendQuery } from "../../../sessions/session-queries.ts";
import { defaultConnectMs } from "../../../sessions/silent-server.ts";
import { StatementAllowance } from "../../../sessions/statement-allowance.ts";
import { readClickHouseMarks } from "../catalog/change-marks.ts";
import { inspectClickHouseSafety } from "../catalog/safety.ts";
import { readClickHouseStructure } from "../catalog/structure.ts";
import type { ClickHouseConfig } from "../clickhouse-settings.ts";
import { ClickHouseClient, ownTimeoutMs } from "./clickhouse-client.ts";
import { ClickHouseStatement } from "./clickhouse-statement.ts";

const oldest = [23, 3] as const;

export async function openClickHouse(config: ClickHouseConfig, context: ConnectContext): Promise<EngineConnection> {
  const client = new ClickHouseClient(config);
  const [[version = "", database = "", readOnly = "0"] = []] = await client.ask(
    "SELECT version(), currentDatabase(), toString(getSetting('readonly'))",
    context.connectTimeoutMs ?? defaultConnectMs,
    context.signal,
  );
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (!(major > oldest[0] || (major === oldest[0] && minor >= oldest[1])))
    throw new ConfigError(`ClickHouse ${version} is too old. Use ClickHouse ${oldest.join(".")} or newer.`);
  if (readOnly === "1")
    throw new ConfigError(
      `The profile of ${config.user} at ${client.place} has "readonly = 1", so that no statement can have a time limit. Set "readonly = 2" there: it allows no writing either.`,
    );
  client.setsReadOnly = readOnly === "0";
  return new ClickHouseConnection(client, { product: "ClickHouse", version, defaultSchema: database });
}

class ClickHouseConnection implements EngineConnection {
  readonly server: ServerInfo;
  readonly #client: ClickHouseClient;

  constructor(client: ClickHouseClient, server: ServerInfo) {
    this.#client = client;
    this.server = server;
  }

  get statements(): number {
    return this.#client.statements;
  }

  readStructure(schemas: readonly string[] | undefined, options?: CatalogOptions): Promise<WarehouseStructure> {
    return this.#with((send) => readClickHouseStructure(send, schemas), options);
  }

  readChangeMarks(tables: readonly TableName[], options?: CatalogOptions): Promise<readonly (string | undefined)[]> {
    return this.#with((send) => readClickHouseMarks(send, tables), options);
  }

  stream(sql: string, options: StreamOptions): RowStream {
    return new StatementRows(async () => new ClickHouseStatement(this.#client, sql, options), options);
  }

  inspectSafety(): Promise<readonly SafetyFinding[]> {
    return this.#with((send) => inspectClickHouseSafety(send));
  }

  async close(): Promise<void> {}

  /** Runs the connector's own queries. Like a caller's queries, they can only read. */
  async #with<T>(work: (send: SendQuery) => Promise<T>, { signal, maxStatements }: CatalogOptions = {}): Promise<T> {
    const allowance = new StatementAllowance(maxStatements);
    throwIfStopped(signal);
    return work((sql) => {
      allowance.take();
      return this.#send(sql, signal);
    });
  }

  async #send(sql: string, signal: AbortSignal | undefined): Promise<unknown[][]> {
    const rows: unknown[][] = [];
    const limits = { maxRows: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY, timeoutMs: ownTimeoutMs };
    for await (const batch of this.stream(sql, { ...limits, signal })) for (const row of batch) rows.push([...row]);
    return rows;
  }
}
