/** The formats of data files, by their file extensions. */
import { basename } from "node:path";

export type DataFormat = "parquet" | "csv" | "json";

const endings: readonly (readonly [RegExp, DataFormat])[] = [
  [/\.parquet$/i, "parquet"],
  [/\.(csv|tsv)(\.gz|\.zst)?$/i, "csv"],
  [/\.(json|jsonl|ndjson)(\.gz|\.zst)?$/i, "json"],
];

export function formatOfFile(file: string): DataFormat | undefined {
  return endings.find(([ending]) => ending.test(file))?.[1];
}

/** Returns a file's name without its extensions: `orders` for `data/orders.csv.gz`. */
export function tableNameOf(file: string): string {
  const name = basename(file);
  const ending = endings.find(([pattern]) => pattern.test(name))?.[0];
  return (ending === undefined ? name : name.replace(ending, "")) || name;
}
