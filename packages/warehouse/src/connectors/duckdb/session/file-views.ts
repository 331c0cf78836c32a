/** Data files as views, with the types of their columns fixed when the connection opens. */
import { statSync } from "node:fs";
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

function describeProblem({ files, format }: FileTable, cause: unknown): string {
  const [file = ""] = files;
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return `${file} does not exist.`;
  const kind = { parquet: "Parquet", csv: "CSV", json: "JSON" }[format];
  return `${file} cannot be read as ${kind}: ${reasonOfDuckDb(cause)}.`;
}
