import pg from "pg";
import type { PostgresCluster } from "../../../stores/postgres/tests/postgres-cluster.ts";
import { postgresConnector } from "../../src/connectors/postgres/postgres-connector.ts";
import type { PostgresSettings } from "../../src/connectors/postgres/postgres-settings.ts";
import { StatementRefusedError } from "../../src/index.ts";
import type { EngineConnection, StreamOptions } from "../../src/port/connector.ts";
import type { ResolvedTable, StatementContext } from "../../src/port/dialect.ts";
import type { WarehouseRow } from "../../src/port/values.ts";

export function connectTo(
  cluster: PostgresCluster,
  settings: Partial<PostgresSettings> = {},
): Promise<EngineConnection> {
  return connectWith({ type: "postgres", url: cluster.url, sslmode: "disable", ...settings });
}

export function connectWith(settings: PostgresSettings): Promise<EngineConnection> {
  return postgresConnector.connect(settings, { projectDir: import.meta.dirname });
}

const limits: StreamOptions = { maxRows: 1000, maxBytes: 4_000_000, timeoutMs: 30_000 };

export async function readAll(
  connection: EngineConnection,
  sql: string,
  options: Partial<StreamOptions> = {},
): Promise<readonly WarehouseRow[]> {
  const rows: WarehouseRow[] = [];
  for await (const batch of connection.stream(sql, { ...limits, ...options })) rows.push(...batch);
  return rows;
}

/** Returns a context in which everything in `shop` and in the schema with an odd name may be read. A name without a schema is in `shop`. */
export function contextOf(safeFunctions: ReadonlySet<string> | undefined, relation?: string): StatementContext {
  return {
    safeFunctions,
    resolve(name): ResolvedTable {
      const [schema = "shop", table] = name.length === 1 ? ["shop", name[0]] : name.slice(-2);
      if (!["shop", 'Odd "Schema'].includes(schema) || /^pg_/.test(table ?? ""))
        throw new StatementRefusedError(`${name.join(".")} may not be read.`, { reason: "outside_scope" });
      return { schema, table: table ?? "", relation };
    },
  };
}

/** Opens a separate session for the test, which may write. */
export async function openPlain(cluster: PostgresCluster): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: cluster.url });
  client.on("error", () => {});
  await client.connect();
  return client;
}
