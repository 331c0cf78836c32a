/** Determines the columns of CSV files: DuckDB's guess, corrected if it would lose digits. */
import { statSync } from "node:fs";
import type { DuckDBConnection } from "@duckdb/node-api";
import { csvDialect } from "./csv-dialect.ts";
import { quoteDuckDbName, quoteList, quoteLiteral } from "./quote.ts";

/** The types are determined from all rows of files up to this many bytes, and from the first rows of larger files. */
const wholeFile = 64 * 1024 * 1024;
const sampledRows = 200_000;

interface CsvColumn {
  readonly name: string;
  readonly type: string;
}

/**
 * Returns the function call that reads the files. In the call, no decimal and no integer of more than 18 digits is read as a floating-point
 * number.
 */
export async function describeCsv(connection: DuckDBConnection, files: readonly string[]): Promise<string> {
  const bytes = files.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
  const rows = bytes <= wholeFile ? -1 : sampledRows;
  const sample = `sample_size = ${rows}${files.length > 1 ? ", union_by_name = true" : ""}`;
  const guessed = await readColumns(connection, `read_csv(${quoteList(files)}, ${sample})`);
  refuseUnsplit(guessed);
  const exact = await exactTypes(connection, `read_csv(${quoteList(files)}, ${sample}, all_varchar = true)`, guessed);
  const types = guessed.map(({ name, type }) => `${quoteLiteral(name)}: ${quoteLiteral(exact.get(name) ?? type)}`);
  const [only] = files;
  if (files.length > 1 || only === undefined)
    return `read_csv(${quoteList(files)}, union_by_name = true, types = {${types.join(", ")}})`;
  // Without these options, DuckDB would detect the format again for every statement.
  const dialect = await csvDialect(connection, only, rows);
  return `read_csv(${quoteList(files)}, auto_detect = false, ${dialect}, columns = {${types.join(", ")}})`;
}

async function readColumns(connection: DuckDBConnection, call: string): Promise<readonly CsvColumn[]> {
  const result = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${call}`);
  return result.getRows().map(([name, type]) => ({ name: String(name), type: String(type) }));
}

/** Refuses a file whose rows have different lengths. DuckDB reads such a file as one column of whole lines. */
function refuseUnsplit(columns: readonly CsvColumn[]): void {
  const [only] = columns;
  if (columns.length === 1 && only !== undefined && /[,;|\t]/.test(only.name))
    throw new Error("its rows have different numbers of columns");
}

/** Finds the decimal or integer types of columns that DuckDB would read as DOUBLE although all of their values are exact. */
async function exactTypes(
  connection: DuckDBConnection,
  textCall: string,
  guessed: readonly CsvColumn[],
): Promise<ReadonlyMap<string, string>> {
  const doubles = guessed.filter(({ type }) => type === "DOUBLE");
  const exact = new Map<string, string>();
  if (doubles.length === 0) return exact;
  const measures = doubles.flatMap(({ name }) => {
    const text = `trim(${quoteDuckDbName(name)})`;
    return [
      `coalesce(bool_and(regexp_full_match(${text}, '[+-]?[0-9]+(\\.[0-9]+)?')), false)`,
      `max(length(ltrim(split_part(${text}, '.', 1), '+-0')))`,
      `max(length(split_part(${text}, '.', 2)))`,
    ];
  });
  const [row = []] = (await connection.runAndReadAll(`SELECT ${measures.join(", ")} FROM ${textCall}`)).getRows();
  for (const [index, { name }] of doubles.entries()) {
    const type = exactType(row[index * 3] === true, Number(row[index * 3 + 1]), Number(row[index * 3 + 2]));
    if (type !== undefined) exact.set(name, type);
  }
  return exact;
}

function exactType(isExact: boolean, whole: number, fraction: number): string | undefined {
  const digits = Math.max(whole + fraction, 1);
  if (!isExact || digits > 38) return undefined;
  return fraction === 0 ? "HUGEINT" : `DECIMAL(${digits}, ${fraction})`;
}
