import { ConfigError, StoppedError } from "@bridle/protocol";
import type {
  ConnectContext,
  EngineConnection,
  RowStream,
  SafetyFinding,
  ServerInfo,
  StreamOptions,
} from "../../../port/connector.ts";
import type { TableName, WarehouseStructure } from "../../../port/structure.ts";
import { readClickHouseMarks } from "../catalog/change-marks.ts";
import { inspectClickHouseSafety } from "../catalog/safety.ts";
import { readClickHouseStructure } from "../catalog/structure.ts";
import type { ClickHouseConfig } from "../clickhouse-settings.ts";
import { ClickHouseClient } from "./clickhouse-client.ts";
import { ClickHouseRows } from "./clickhouse-rows.ts";

const oldest = [23, 3] as const;

export async function openClickHouse(config: ClickHouseConfig, context: ConnectContext): Promise<EngineConnection> {
  const client = new ClickHouseClient(config);
  const [[version = "", database = "", readOnly = "0"] = []] = await client.ask(
    "SELECT version(), currentDatabase(), toString(getSetting('readonly'))",
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

  readStructure(schemas: readonly string[] | undefined, signal?: AbortSignal): Promise<WarehouseStructure> {
    return this.#with((send) => readClickHouseStructure(send, schemas), signal);
  }

  readChangeMarks(tables: readonly TableName[], signal?: AbortSignal): Promise<readonly (string | undefined)[]> {
    return this.#with((send) => readClickHouseMarks(send, tables), signal);
  }

  stream(sql: string, options: StreamOptions): RowStream {
    return new ClickHouseRows(this.#client, sql, options);
  }

  inspectSafety(): Promise<readonly SafetyFinding[]> {
    return this.#with((send) => inspectClickHouseSafety(send));
  }

  async close(): Promise<void> {}

  /** Queries of the connector itself, which are reads like those of a caller. */
  async #with<T>(work: (send: (sql: string) => Promise<unknown[][]>) => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (signal?.aborted) throw new StoppedError("Reading the catalogue was stopped.", { by: "signal" });
    return work((sql) => this.#send(sql, signal));
  }

  async #send(sql: string, signal: AbortSignal | undefined): Promise<unknown[][]> {
    const rows: unknown[][] = [];
    const limits = { maxRows: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY, timeoutMs: 120_000 };
    for await (const batch of this.stream(sql, { ...limits, signal })) for (const row of batch) rows.push([...row]);
    return rows;
  }
}
