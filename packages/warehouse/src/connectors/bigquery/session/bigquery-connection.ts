import { NetworkError, StoppedError } from "@bridle/protocol";
import { z } from "zod";
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
import { defaultConnectMs } from "../../../sessions/silent-server.ts";
import { type BigQueryConfig, defaultBytesBilled } from "../bigquery-settings.ts";
import { readBigQueryMarks } from "../catalog/change-marks.ts";
import { BigQueryPlaces } from "../catalog/places.ts";
import { inspectBigQuerySafety } from "../catalog/safety.ts";
import { BigQueryStructureReader } from "../catalog/structure.ts";
import { AccessTokens } from "../login/access-token.ts";
import { readGoogleCredentials } from "../login/credentials.ts";
import { BigQueryClient } from "./bigquery-client.ts";
import { BigQueryRows } from "./bigquery-rows.ts";
import { BigQueryFailure, explainBigQueryFailure, explainBigQueryOpening } from "./failures.ts";

export async function openBigQuery(config: BigQueryConfig, context: ConnectContext): Promise<EngineConnection> {
  const tokens = new AccessTokens(readGoogleCredentials(config, context.projectDir));
  const client = new BigQueryClient(config, tokens);
  const request = { path: [config.project, "datasets"], query: { maxResults: "1" }, signal: context.signal };
  client.answerMs = context.connectTimeoutMs ?? defaultConnectMs;
  try {
    await client.send(request, z.unknown());
    client.answerMs = undefined;
  } catch (error) {
    throw error instanceof BigQueryFailure ? explainBigQueryOpening(error, config.project, tokens.place) : error;
  }
  return new BigQueryConnection(client, config);
}

class BigQueryConnection implements EngineConnection {
  readonly server: ServerInfo;
  readonly #client: BigQueryClient;
  readonly #config: BigQueryConfig;
  readonly #places: BigQueryPlaces;
  #isClosed = false;

  constructor(client: BigQueryClient, config: BigQueryConfig) {
    this.#client = client;
    this.#config = config;
    this.#places = new BigQueryPlaces(config.project, config.projects ?? []);
    this.server = { product: "BigQuery", version: "API v2", catalog: config.project, namesCatalogs: true };
  }

  get statements(): number {
    return this.#client.statements;
  }

  /** Reads the structure. This sends no statements, so it is free of charge. */
  readStructure(schemas: readonly string[] | undefined, { signal }: CatalogOptions = {}): Promise<WarehouseStructure> {
    return this.#with(signal, () => new BigQueryStructureReader(this.#client, this.#places, signal).read(schemas));
  }

  readChangeMarks(
    tables: readonly TableName[],
    { signal }: CatalogOptions = {},
  ): Promise<readonly (string | undefined)[]> {
    return this.#with(signal, () => readBigQueryMarks(this.#client, this.#places, tables, signal));
  }

  stream(sql: string, options: StreamOptions): RowStream {
    this.#checkOpen();
    const { location, maximumBytesBilled = defaultBytesBilled } = this.#config;
    return new BigQueryRows(this.#client, { location, maximumBytesBilled }, sql, options);
  }

  inspectSafety(): Promise<readonly SafetyFinding[]> {
    return this.#with(undefined, () => inspectBigQuerySafety(this.#client, this.#places));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new NetworkError("The connection to BigQuery is closed. Open it again.");
  }

  async #with<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    this.#checkOpen();
    if (signal?.aborted) throw new StoppedError("Reading the catalog was stopped.", { by: "signal" });
    try {
      return await work();
    } catch (error) {
      if (signal?.aborted) throw new StoppedError("Reading the catalog was stopped.", { by: "signal", cause: error });
      throw error instanceof BigQueryFailure
        ? explainBigQueryFailure(error, this.#config.project, this.#client.tokens.place)
        : error;
    }
  }
}
