import type { Connector } from "../../port/connector.ts";
import { clickhouseSchema, describeClickHouse } from "./clickhouse-settings.ts";
import { clickhouseDialect } from "./dialect/clickhouse-dialect.ts";

export const clickhouseConnector: Connector<typeof clickhouseSchema> = {
  type: "clickhouse",
  schema: clickhouseSchema,
  example: {
    type: "clickhouse",
    host: "db.example.com",
    user: "reader",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the value is an environment variable
    password: "${CLICKHOUSE_PASSWORD}",
    database: "shop",
  },
  secrets: { keys: ["password"] },
  dialect: clickhouseDialect,
  describe: describeClickHouse,
  async connect(config, context) {
    const { openClickHouse } = await import("./session/clickhouse-connection.ts");
    return openClickHouse(config, context);
  },
};
