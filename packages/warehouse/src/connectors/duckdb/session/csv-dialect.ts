/** Detects the format of a CSV file, and describes it as options of `read_csv`. */
import type { DuckDBConnection } from "@duckdb/node-api";
import { quoteLiteral } from "./quote.ts";

/** DuckDB's value for a character that does not occur. */
const missing = "(empty)";

/** Detects the format. `rows` is the number of rows to read, or -1 for all. */
export async function csvDialect(connection: DuckDBConnection, file: string, rows: number): Promise<string> {
  const fields = "Delimiter, Quote, Escape, Comment, SkipRows, HasHeader, DateFormat, TimestampFormat";
  const sql = `SELECT ${fields} FROM sniff_csv(${quoteLiteral(file)}, sample_size = ${rows})`;
  const [row = []] = (await connection.runAndReadAll(sql)).getRows();
  const [delimiter, quote, escaping, comment, skip, header, dates, timestamps] = row.map((value) =>
    value === null || value === missing ? "" : String(value),
  );
  // The rows that were not read may still contain quotes.
  const unseen = rows === -1 ? "" : '"';
  const options = {
    delim: quoteLiteral(delimiter ?? ","),
    quote: quoteLiteral(quote || unseen),
    escape: quoteLiteral(escaping || (quote ? "" : unseen)),
    comment: quoteLiteral(comment ?? ""),
    skip: skip || "0",
    header: header || "true",
    ...(dates ? { dateformat: quoteLiteral(dates) } : {}),
    ...(timestamps ? { timestampformat: quoteLiteral(timestamps) } : {}),
  };
  return Object.entries(options)
    .map(([name, value]) => `${name} = ${value}`)
    .join(", ");
}
