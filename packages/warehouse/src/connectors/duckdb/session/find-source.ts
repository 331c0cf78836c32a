/** What a configuration names: one database file, or data files that become tables. */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { ConfigError } from "@bridle/protocol";
import { type DuckDbConfig, listPaths } from "../config.ts";
import { type DataFormat, formatOfFile, tableNameOf } from "./data-formats.ts";
import { expandPattern } from "./expand-pattern.ts";

export type DuckDbSource =
  | { readonly kind: "database"; readonly path: string }
  | { readonly kind: "files"; readonly tables: readonly FileTable[] };

/** A table over data files, which all have one format. */
export interface FileTable {
  readonly name: string;
  readonly format: DataFormat;
  /** Absolute paths, at least one. */
  readonly files: readonly string[];
}

/** @throws ConfigError if a path is missing, or has no data that DuckDB reads. */
export async function findSource(config: DuckDbConfig, projectDir: string): Promise<DuckDbSource> {
  const paths = listPaths(config.path).map((path) => resolve(projectDir, path));
  const named = Object.entries(config.files ?? {});
  if (paths.length === 0 && named.length === 0)
    throw new ConfigError(
      "A connection to DuckDB has neither path nor files. Name a database file, a folder or data files.",
    );
  const [only] = paths;
  if (only !== undefined && paths.length === 1 && named.length === 0 && isDatabaseFile(only))
    return { kind: "database", path: only };
  const tables: FileTable[] = [];
  for (const path of paths) tables.push(...(await tablesOfPath(path)));
  for (const [name, patterns] of named) tables.push(await tableOfPatterns(name, listPaths(patterns), projectDir));
  refuseDoubles(tables);
  return { kind: "files", tables };
}

/** A file that is not a data file by its name is taken for a database: DuckDB says what is wrong with it. */
function isDatabaseFile(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new ConfigError(`${path} does not exist. Correct the path of the connection.`);
  if (found.isDirectory()) return false;
  const start = readStart(path);
  if (start.startsWith("SQLite format 3"))
    throw new ConfigError(`${path} is a SQLite database, not one of DuckDB. Use type: sqlite.`);
  return start.slice(8, 12) === "DUCK" || formatOfFile(path) === undefined;
}

function readStart(path: string): string {
  try {
    const bytes = Buffer.alloc(16);
    const file = openSync(path, "r");
    try {
      return bytes.toString("latin1", 0, readSync(file, bytes));
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    const reason =
      cause instanceof Error && "code" in cause && cause.code === "EACCES" ? "no permission" : String(cause);
    throw new ConfigError(`${path} cannot be read: ${reason}. Check its permissions.`, { cause });
  }
}

async function tablesOfPath(path: string): Promise<readonly FileTable[]> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new ConfigError(`${path} does not exist. Correct the path of the connection.`);
  const files = found.isDirectory() ? await dataFilesIn(path) : [path];
  if (files.length === 0)
    throw new ConfigError(`The folder ${path} has no Parquet, CSV or JSON files. Name their paths in files.`);
  return files.map((file) => ({ name: tableNameOf(file), format: requireFormat(file), files: [file] }));
}

async function dataFilesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && formatOfFile(entry.name) !== undefined);
  return files.map((entry) => join(folder, entry.name)).sort();
}

async function tableOfPatterns(name: string, patterns: readonly string[], projectDir: string): Promise<FileTable> {
  const files: string[] = [];
  for (const pattern of patterns) {
    const found = await expandPattern(resolve(projectDir, pattern));
    if (found.length === 0) throw new ConfigError(`files.${name}: no file matches ${pattern}. Correct the path.`);
    files.push(...found);
  }
  const formats = new Set(files.map(requireFormat));
  const [format] = formats;
  if (format === undefined || formats.size > 1)
    throw new ConfigError(`files.${name} has files of several formats. Use one table for each format.`);
  return { name, format, files };
}

function requireFormat(file: string): DataFormat {
  const format = formatOfFile(file);
  if (format !== undefined) return format;
  throw new ConfigError(
    `${file} is neither a DuckDB database nor a data file: its name ends in none of .parquet, .csv, .tsv, .json, .jsonl and .ndjson.`,
  );
}

/** Names are compared as DuckDB does, without case. */
function refuseDoubles(tables: readonly FileTable[]): void {
  const seen = new Map<string, FileTable>();
  for (const table of tables) {
    const other = seen.get(table.name.toLowerCase());
    if (other !== undefined)
      throw new ConfigError(
        `${basename(table.files[0] ?? "")} and ${basename(other.files[0] ?? "")} would both be the table ${table.name}. Give them names with files.`,
      );
    seen.set(table.name.toLowerCase(), table);
  }
}
