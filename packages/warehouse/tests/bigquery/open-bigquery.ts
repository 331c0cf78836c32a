import { onTestFinished } from "vitest";
import { bigqueryConnector } from "../../src/connectors/bigquery/bigquery-connector.ts";
import type { BigQueryConfig } from "../../src/connectors/bigquery/bigquery-settings.ts";
import { connectContext } from "../support/reading.ts";
import { type BigQueryAnswer, BigQueryServer } from "./bigquery-server.ts";

export const account = { type: "bigquery", project: "shop-data", token: "right" } as const;

/** Starts a server for the test. It ends with the test. */
export async function startBigQuery(answer?: (sql: string) => BigQueryAnswer): Promise<BigQueryServer> {
  const server = await BigQueryServer.start(answer);
  onTestFinished(() => server.close());
  return server;
}

/** Opens a connection to a server for the test, and clears the requests that opening has sent. */
export async function openBigQuery(
  answer?: (sql: string) => BigQueryAnswer,
  settings: Partial<Pick<BigQueryConfig, "location" | "maximumBytesBilled" | "projects">> = {},
) {
  const server = await startBigQuery(answer);
  const connection = await bigqueryConnector.connect(
    { ...account, ...settings, endpoint: server.endpoint },
    connectContext,
  );
  onTestFinished(() => connection.close());
  server.requests.length = 0;
  return { server, connection };
}
