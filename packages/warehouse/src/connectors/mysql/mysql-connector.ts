import type { Connector } from "../../port/connector.ts";
import { mysqlDialect } from "./dialect/mysql-dialect.ts";
import { describeMySql, mysqlSchema } from "./mysql-settings.ts";

export const mysqlConnector: Connector<typeof mysqlSchema> = {
  type: "mysql",
  schema: mysqlSchema,
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the value is an environment variable
  example: { type: "mysql", host: "localhost", user: "reader", password: "${MYSQL_PASSWORD}", database: "shop" },
  secrets: { keys: ["password"] },
  dialect: mysqlDialect,
  describe: describeMySql,
  async connect(config, context) {
    const { openMySql } = await import("./session/mysql-connection.ts");
    return openMySql(config, context);
  },
};
