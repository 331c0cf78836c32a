/** Shows data files as views. The types of their columns are fixed when the connection opens. */
import { statSync } from "node:fs";
import type { DuckDBConnection } from "@duckdb/node-api";
import type { TableProblem } from "../../../port/structure.ts";
import { describeCsv } from "./csv-columns.ts";
import { reasonOfDuckDb } from "./errors.ts";
import { readFileStart } from "./file-start.ts";
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

/** Whether a file has a byte order mark, or a zero byte at every second position, like ASCII in UTF-16. */
function isUtf16(file: string): boolean {
  const start = readFileStart(file);
  return /^(?:\u00ff\u00fe|\u00fe\u00ff)/.test(start) || /^(?:\0[^\0]){4}|^(?:[^\0]\0){4}/.test(start);
}

function describeProblem({ files, format }: FileTable, cause: unknown): string {
  const [file = ""] = files;
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return `${file} does not exist.`;
  if (format !== "parquet" && isUtf16(file))
    return `${file} is in UTF-16, which DuckDB does not read. Save it as UTF-8.`;
  const kind = { parquet: "Parquet", csv: "CSV", json: "JSON" }[format];
  return `${file} cannot be read as ${kind}: ${reasonOfDuckDb(cause)}.`;
}
