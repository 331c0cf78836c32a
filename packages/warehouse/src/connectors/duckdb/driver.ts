/** Loads DuckDB's driver, an optional package, with the first connection or statement. */
import { importOptional } from "@bridle/core";
import { ConfigError } from "@bridle/protocol";

export type DuckDbDriver = typeof import("@duckdb/node-api");

/** @throws ConfigError if the package is not installed. */
export function loadDuckDb(): Promise<DuckDbDriver> {
  return importOptional(
    ["@duckdb/node-api"],
    () => import("@duckdb/node-api"),
    (problem, cause) => new ConfigError(`type: duckdb ${problem}`, { cause }),
  );
}

/** The options of every DuckDB instance. With these, an instance cannot find, install or load extensions, or store secrets. */
export const closedOptions: Readonly<Record<string, string>> = {
  autoinstall_known_extensions: "false",
  autoload_known_extensions: "false",
  allow_community_extensions: "false",
  allow_unsigned_extensions: "false",
  allow_persistent_secrets: "false",
  temp_directory: "",
};
