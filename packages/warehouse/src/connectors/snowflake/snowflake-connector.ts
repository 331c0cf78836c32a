import type { Connector } from "../../port/connector.ts";
import { snowflakeDialect } from "./dialect/snowflake-dialect.ts";
import { describeSnowflake, snowflakeSchema } from "./snowflake-settings.ts";

export const snowflakeConnector: Connector<typeof snowflakeSchema> = {
  type: "snowflake",
  schema: snowflakeSchema,
  example: {
    type: "snowflake",
    account: "myorg-analytics",
    user: "READER",
    keyFile: "secrets/reader.p8",
    warehouse: "reading",
    role: "reader",
    database: "shop",
  },
  secrets: { keys: ["key", "passphrase", "token", "oauthToken"] },
  dialect: snowflakeDialect,
  describe: describeSnowflake,
  async connect(config, context) {
    const { openSnowflake } = await import("./session/snowflake-connection.ts");
    return openSnowflake(config, context);
  },
};
