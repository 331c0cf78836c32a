import { ConfigError } from "@bridle/protocol";
import type { LoggedStatement } from "./query-history.ts";

/**
 * Names of the statement column and the run count column in exports of engines and tools, in lower case. The first name that a log has
 * counts.
 */
const statementKeys = ["query", "statement", "sql", "query_text", "sql_text", "digest_text", "argument", "text"];
const runsKeys = ["calls", "runs", "count", "executions", "execution_count", "exec_count", "count_star"];

/**
 * Reads the statements of a query log: CSV or TSV with a header, one JSON value in each line, or a JSON list. The statement is in a column
 * or key such as `query`, and the number of runs in an optional one such as `calls`. Throws ConfigError.
 */
export function parseStatementLog(file: string, text: string): readonly LoggedStatement[] {
  const content = text.replace(/^\uFEFF/, "");
  const isCsv = /\.(?:csv|tsv)$/i.test(file);
  if (!isCsv && !/\.(?:jsonl|ndjson|json)$/i.test(file))
    throw new ConfigError(`${file} is not a query log. Name a file that ends with .csv, .jsonl or .json.`, {
      field: file,
    });
  return isCsv ? readCsv(file, content, /\.tsv$/i.test(file) ? "\t" : ",") : readJson(file, content);
}

function readCsv(file: string, text: string, delimiter: string): readonly LoggedStatement[] {
  const [head = [], ...rows] = splitCsv(text, delimiter);
  const names = head.map((name) => name.trim().toLowerCase());
  const at = statementKeys.map((key) => names.indexOf(key)).find((index) => index >= 0);
  const runsAt = runsKeys.map((key) => names.indexOf(key)).find((index) => index >= 0);
  if (at === undefined)
    throw new ConfigError(`${file} has no column of statements. Name one of its columns query.`, { field: file });
  return rows.flatMap((row) => toStatement(row[at], runsAt === undefined ? undefined : row[runsAt]));
}

function readJson(file: string, text: string): readonly LoggedStatement[] {
  const trimmed = text.trim();
  const lines = trimmed.startsWith("[") ? [trimmed] : trimmed.split("\n").filter((line) => line.trim() !== "");
  return lines.flatMap((line, index) => {
    const value = parseLine(line);
    if (value === undefined)
      throw new ConfigError(`${file}:${index + 1} is not valid JSON. Write one object with the key query per line.`, {
        field: file,
      });
    return (Array.isArray(value) ? value : [value]).flatMap(fromJson);
  });
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function fromJson(value: unknown): readonly LoggedStatement[] {
  if (typeof value === "string") return toStatement(value, undefined);
  if (typeof value !== "object" || value === null) return [];
  const entries = new Map(Object.entries(value).map(([key, each]) => [key.toLowerCase(), each]));
  const sql = statementKeys.map((key) => entries.get(key)).find((each) => typeof each === "string");
  return toStatement(
    sql,
    runsKeys.map((key) => entries.get(key)).find((each) => each !== undefined),
  );
}

function toStatement(sql: unknown, runs: unknown): readonly LoggedStatement[] {
  if (typeof sql !== "string" || sql.trim() === "") return [];
  const count = Number(runs ?? 1);
  return [{ sql, runs: Number.isFinite(count) && count >= 1 ? count : 1 }];
}

/** Splits CSV as in RFC 4180: a quote within a quoted field is doubled, and a quoted field may have line ends. */
function splitCsv(text: string, delimiter: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]];
  const field = new RegExp(`"((?:[^"]|"")*)"|([^${delimiter}\\r\\n"]+)|(${delimiter})|(\\r?\\n)`, "g");
  let value = "";
  for (const [, quoted, plain, isNext, isLine] of text.matchAll(field)) {
    if (quoted !== undefined) value += quoted.replaceAll('""', '"');
    else if (plain !== undefined) value += plain;
    if (isNext === undefined && isLine === undefined) continue;
    rows.at(-1)?.push(value);
    value = "";
    if (isLine !== undefined) rows.push([]);
  }
  rows.at(-1)?.push(value);
  return rows.filter((row) => row.some((each) => each !== ""));
}
