// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file refers to the environment
import type { Connector } from "../../port/connector.ts";
import { postgresDialect } from "./dialect/postgres-dialect.ts";
import { describePlace, postgresSchema } from "./postgres-settings.ts";

export const postgresConnector: Connector<typeof postgresSchema> = {
  type: "postgres",
  schema: postgresSchema,
  example: {
    type: "postgres",
    url: "postgresql://reader@db.example/shop?sslmode=verify-full",
    password: "${SHOP_PASSWORD}",
  },
  secrets: { keys: ["url", "password"] },
  dialect: postgresDialect,
  describe: describePlace,
  async connect(config, context) {
    const { openPostgres } = await import("./open-postgres.ts");
    return openPostgres(config, context);
  },
};
