import { basename } from "node:path";
import type { Connector } from "../../port/connector.ts";
import { type DuckDbConfig, duckdbSchema, toPathList } from "./config.ts";
import { duckdbDialect } from "./dialect/dialect.ts";
import { loadDuckDb } from "./driver.ts";

/** Between the statements of one answer, the file stays open; between answers, other processes may write to it. */
const idleMs = 2_000;

export const duckdbConnector: Connector<typeof duckdbSchema> = {
  type: "duckdb",
  schema: duckdbSchema,
  example: { type: "duckdb", file: "data/shop.duckdb" },
  secrets: {},
  isLocal: true,
  dialect: duckdbDialect,
  describe: describeSource,
  connect: async (config, { projectDir }) => {
    const driver = await loadDuckDb();
    const { DuckDbConnection } = await import("./connection.ts");
    return DuckDbConnection.open({ driver, config, projectDir, idleMs });
  },
};

function describeSource({ file, files = [] }: DuckDbConfig): string {
  if (file !== undefined) return basename(file);
  const paths = typeof files === "string" || Array.isArray(files) ? files : Object.values(files).flatMap(toPathList);
  return toPathList(paths)
    .map((path) => basename(path))
    .join(", ");
}
