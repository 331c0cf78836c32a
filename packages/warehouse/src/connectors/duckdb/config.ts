/** The keys of a connection to DuckDB. */
import { z } from "zod";

const path = z.string().min(1);

export const duckdbConfigSchema = z.strictObject({
  type: z.literal("duckdb").describe("A DuckDB database file, or files of Parquet, CSV and JSON."),
  path: z
    .union([path, z.array(path).min(1)])
    .exactOptional()
    .describe(
      "A database file, or a folder or a list of Parquet, CSV and JSON files. Each file is a table with the name of the file.",
    ),
  files: z
    .record(z.string().min(1), z.union([path, z.array(path).min(1)]))
    .exactOptional()
    .describe("Tables over several files: for each name a path, a pattern such as data/orders-*.parquet, or a list."),
  memory: z
    .string()
    .regex(/^\d+(\.\d+)? ?[KMGT]i?B$/i, "expected a size, such as 2GB")
    .exactOptional()
    .describe("The memory that DuckDB may use, such as 2GB. Nothing is written to disk instead. Default: 1GB."),
  threads: z.int().min(1).max(256).exactOptional().describe("Threads that DuckDB may use. Default: one for each core."),
});

export type DuckDbConfig = z.output<typeof duckdbConfigSchema>;

/** The paths of a configuration, as they are written. */
export function listPaths(path: string | readonly string[] | undefined): readonly string[] {
  return path === undefined ? [] : typeof path === "string" ? [path] : path;
}
