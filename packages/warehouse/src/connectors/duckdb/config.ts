/** The settings of a connection to DuckDB. */
import { z } from "zod";

const path = z.string().min(1);
const paths = z.union([path, z.array(path).min(1)]);

export const duckdbSchema = z.strictObject({
  type: z.literal("duckdb").describe("A DuckDB database file, or files of Parquet, CSV and JSON."),
  file: path.exactOptional().describe("The path of a database file. Relative paths start in the project's folder."),
  files: z
    .union([paths, z.record(z.string().min(1), paths)])
    .exactOptional()
    .describe(
      "Parquet, CSV and JSON files, or folders of them, instead of a database. Each file is a table with the name of the file. To choose the names, or to join several files in a table, write each name with its paths, such as orders: data/orders-*.parquet.",
    ),
  memory: z
    .string()
    .regex(/^\d+(\.\d+)? ?[KMGT]i?B$/i, "expected a size, such as 2GB")
    .exactOptional()
    .describe("The maximum memory of DuckDB, such as 2GB. DuckDB never writes to disk instead. Default: 1GB."),
  threads: z
    .int()
    .min(1)
    .max(256)
    .exactOptional()
    .describe("The number of threads of DuckDB. Default: one for each core."),
});

export type DuckDbConfig = z.output<typeof duckdbSchema>;

/** Returns one path or several as a list. */
export function toPathList(value: string | readonly string[]): readonly string[] {
  return typeof value === "string" ? [value] : value;
}
