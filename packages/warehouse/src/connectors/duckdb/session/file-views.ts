/** Data files as views, with the types of their columns fixed when the connection opens. */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { TableProblem } from "../../../port/structure.ts";
import { describeCsv } from "./csv-columns.ts";
import { reasonOfDuckDb } from "./errors.ts";
import type { FileTable } from "./find-source.ts";
import { quoteDuckDbName, quoteList } from "./quote.ts";

/** Returns the files that cannot be read as tables. */
export async function createFileViews(
  connection: DuckDBConnection,
  tables: readonly FileTable[],
): Promise<readonly TableProblem[]> {
  const problems: TableProblem[] = [];
  for (const table of tables) {
    try {
      const relation = await relationOf(connection, table);
      await connection.run(`CREATE VIEW main.${quoteDuckDbName(table.name)} AS SELECT * FROM ${relation}`);
    } catch (cause) {
      problems.push({ schema: "main", table: table.name, problem: describeProblem(table, cause) });
    }
  }
  return problems;
}

async function relationOf(connection: DuckDBConnection, table: FileTable): Promise<string> {
  const files = quoteList(table.files);
  const several = table.files.length > 1 ? ", union_by_name = true" : "";
  if (table.format === "parquet") return `read_parquet(${files}${several})`;
  if (table.format === "json") return `read_json(${files}${several}, sample_size = -1)`;
  return describeCsv(connection, table.files);
}

/** With a byte order mark, or with a zero byte in the first characters of ASCII. */
function isUtf16(file: string): boolean {
  const start = readFileStart(file, 64);
  const [first, second] = start;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  const zeros = start.filter((byte) => byte === 0).length;
  return start.length >= 8 && zeros * 3 >= start.length;
}

function readFileStart(file: string, bytes: number): Uint8Array {
  const descriptor = openSync(file, "r");
  try {
    const buffer = new Uint8Array(bytes);
    return buffer.subarray(0, readSync(descriptor, buffer, 0, bytes, 0));
  } finally {
    closeSync(descriptor);
  }
}

function describeProblem({ files, format }: FileTable, cause: unknown): string {
  const [file = ""] = files;
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return `${file} does not exist.`;
  if (format !== "parquet" && isUtf16(file)) return `${file} is in UTF-16, which DuckDB does not read. Save it as UTF-8.`;
  const kind = { parquet: "Parquet", csv: "CSV", json: "JSON" }[format];
  return `${file} cannot be read as ${kind}: ${reasonOfDuckDb(cause)}.`;
}
