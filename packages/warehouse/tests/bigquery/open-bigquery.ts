import { onTestFinished } from "vitest";
import { bigqueryConnector } from "../../src/connectors/bigquery/bigquery-connector.ts";
import type { BigQueryConfig } from "../../src/connectors/bigquery/bigquery-settings.ts";
import { connectContext } from "../support/reading.ts";
import { type BigQueryAnswer, BigQueryServer } from "./bigquery-server.ts";

export const account = { type: "bigquery", project: "shop-data", token: "right" } as const;

/** A server of the test, which ends with it. */
export async function startBigQuery(answer?: (sql: string) => BigQueryAnswer): Promise<BigQueryServer> {
  const server = await BigQueryServer.start(answer);
  onTestFinished(() => server.close());
  return server;
}

/** A connection to a server of the test. The requests of its opening are forgotten. */
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
