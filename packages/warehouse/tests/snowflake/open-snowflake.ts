import { onTestFinished } from "vitest";
import { snowflakeConnector } from "../../src/connectors/snowflake/snowflake-connector.ts";
import type { SnowflakeConfig } from "../../src/connectors/snowflake/snowflake-settings.ts";
import { connectContext } from "../support/reading.ts";
import { type SnowflakeAnswer, SnowflakeServer } from "./snowflake-server.ts";

export const snowflakeAccount = {
  type: "snowflake",
  account: "myorg-analytics",
  token: "right",
  database: "shop",
} as const;

/** Returns the answer to the first statement of a connection. An empty name is NULL. */
export function snowflakePlace({
  version = "version",
  database = "SHOP",
  schema = "PUBLIC",
  warehouse = "READING",
} = {}): SnowflakeAnswer {
  return {
    columns: [version, "database", "schema", "warehouse", "role"].map((name) => [name, "text"] as const),
    partitions: [[["9.35.1", database || null, schema || null, warehouse || null, "READER"]]],
  };
}

/** Starts a server that is closed when the test has finished. */
export async function startSnowflake(answer: (sql: string) => SnowflakeAnswer, opening = snowflakePlace()) {
  const server = await SnowflakeServer.start((sql) => (sql.includes("CURRENT_VERSION()") ? opening : answer(sql)));
  onTestFinished(() => server.close());
  const connect = (config: Partial<SnowflakeConfig> = {}) =>
    snowflakeConnector.connect({ ...snowflakeAccount, endpoint: server.endpoint, ...config }, connectContext);
  return { server, connect };
}

/** Opens a connection, and clears the server's records of its first statement. */
export async function openSnowflakeServer(
  answer: (sql: string) => SnowflakeAnswer,
  config: Partial<SnowflakeConfig> = {},
) {
  const { server, connect } = await startSnowflake(answer);
  const connection = await connect(config);
  onTestFinished(() => connection.close());
  server.executed.length = 0;
  server.requests.length = 0;
  return { server, connection };
}
