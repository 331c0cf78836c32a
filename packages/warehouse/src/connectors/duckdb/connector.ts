import type { Connector } from "../../port/connector.ts";
import { duckdbConfigSchema, listPaths } from "./config.ts";
import { DuckDbConnection } from "./connection.ts";
import { duckdbDialect } from "./dialect/dialect.ts";
import { loadDriver } from "./driver.ts";

/** Between the statements of one answer, the file stays open; between answers, other processes may write to it. */
const idleMs = 2_000;

export const duckdbConnector = {
  type: "duckdb",
  summary: "DuckDB database files, and files of Parquet, CSV and JSON.",
  schema: duckdbConfigSchema,
  example: { type: "duckdb", path: "data/shop.duckdb" },
  secrets: {},
  dialect: duckdbDialect,
  describe: ({ path, files }) => [...listPaths(path), ...Object.values(files ?? {}).flatMap(listPaths)].join(", "),
  connect: async (config, { projectDir }) =>
    DuckDbConnection.open({ driver: await loadDriver(), config, projectDir, idleMs }),
} satisfies Connector<typeof duckdbConfigSchema>;
