import { basename, isAbsolute } from "node:path";
import type { Connector } from "../../port/connector.ts";
import { type DuckDbConfig, duckdbSchema, toPathList } from "./config.ts";
import { duckdbDialect } from "./dialect/dialect.ts";

export const duckdbConnector: Connector<typeof duckdbSchema> = {
  type: "duckdb",
  schema: duckdbSchema,
  example: { type: "duckdb", file: "data/shop.duckdb" },
  secrets: {},
  isLocal: true,
  dialect: duckdbDialect,
  describe: describeSource,
  connect: async (config, context) => {
    const { openDuckDbProcess } = await import("./process/open-process.ts");
    return openDuckDbProcess(config, context);
  },
};

/**
 * Shortens a path. Keeps the folders of a pattern in the settings, so that `sub/*.csv` differs from `*.csv`. Keeps only the last part of an
 * absolute path, because such a path is private.
 */
function shortPath(path: string): string {
  return /[*?[{]/.test(path) && !isAbsolute(path) ? path.replace(/^\.\//, "") : basename(path);
}

function describeSource({ file, files = [] }: DuckDbConfig): string {
  if (file !== undefined) return basename(file);
  const paths = typeof files === "string" || Array.isArray(files) ? files : Object.values(files).flatMap(toPathList);
  return toPathList(paths).map(shortPath).join(", ");
}
