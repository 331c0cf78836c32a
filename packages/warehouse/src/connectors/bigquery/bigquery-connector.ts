import type { Connector } from "../../port/connector.ts";
import { bigquerySchema, describeBigQuery } from "./bigquery-settings.ts";
import { bigqueryDialect } from "./dialect/bigquery-dialect.ts";

export const bigqueryConnector: Connector<typeof bigquerySchema> = {
  type: "bigquery",
  schema: bigquerySchema,
  example: { type: "bigquery", project: "shop-data", keyFile: "secrets/reader.json" },
  secrets: { keys: ["key", "token"] },
  dialect: bigqueryDialect,
  describe: describeBigQuery,
  async connect(config, context) {
    const { openBigQuery } = await import("./session/bigquery-connection.ts");
    return openBigQuery(config, context);
  },
};
