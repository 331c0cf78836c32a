import { basename, resolve } from "node:path";
import { z } from "zod";
import type { Connector } from "../../port/connector.ts";
import { sqliteDialect } from "./dialect/sqlite-dialect.ts";

const schema = z.strictObject({
  type: z.literal("sqlite").describe("An SQLite file."),
  file: z.string().min(1).describe("The path of the file. A relative path starts in the project's folder."),
});

export const sqliteConnector: Connector<typeof schema> = {
  type: "sqlite",
  schema,
  example: { type: "sqlite", file: "data/shop.db" },
  secrets: {},
  isLocal: true,
  dialect: sqliteDialect,
  describe: ({ file }) => basename(file),
  connect: async ({ file }, { projectDir, signal }) => {
    const { SqliteConnection } = await import("./connection.ts");
    return SqliteConnection.open(resolve(projectDir, file), signal);
  },
};
