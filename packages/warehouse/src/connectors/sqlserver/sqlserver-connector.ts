import type { Connector } from "../../port/connector.ts";
import { sqlserverDialect } from "./dialect/sqlserver-dialect.ts";
import { describeSqlServer, sqlserverSchema } from "./sqlserver-settings.ts";

export const sqlserverConnector: Connector<typeof sqlserverSchema> = {
  type: "sqlserver",
  schema: sqlserverSchema,
  example: {
    type: "sqlserver",
    host: "db.example.com",
    user: "reader",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the value is an environment variable
    password: "${SQLSERVER_PASSWORD}",
    database: "shop",
  },
  secrets: { keys: ["password"] },
  dialect: sqlserverDialect,
  describe: describeSqlServer,
  async connect(config, context) {
    const { openSqlServer } = await import("./session/sqlserver-connection.ts");
    return openSqlServer(config, context);
  },
};
