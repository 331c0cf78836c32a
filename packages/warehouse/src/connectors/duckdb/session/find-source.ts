/** Finds the source that a configuration describes: one database file, or data files that become tables. */
import { statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { ConfigError } from "@bridle/protocol";
import { type DuckDbConfig, toPathList } from "../config.ts";
import { type DataFormat, formatOfFile, tableNameOf } from "./data-formats.ts";
import { expandPattern } from "./expand-pattern.ts";
import { readFileStart } from "./file-start.ts";

export type DuckDbSource = DatabaseSource | FilesSource;

interface DatabaseSource {
  readonly kind: "database";
  /** The absolute path of the database file. */
  readonly path: string;
}

export interface FilesSource {
  readonly kind: "files";
  readonly tables: readonly FileTable[];
}

/** A table over one or more data files of one format. */
export interface FileTable {
  readonly name: string;
  readonly format: DataFormat;
  /** The absolute paths of the files, at least one. */
  readonly files: readonly string[];
}

/** @throws ConfigError if a path is missing or contains no data that DuckDB can read. */
export async function findSource({ file, files }: DuckDbConfig, projectDir: string): Promise<DuckDbSource> {
  if ((file === undefined) === (files === undefined))
    throw new ConfigError("A connection of type duckdb needs either file, for a database, or files, for data files.");
  if (file !== undefined) return { kind: "database", path: checkDatabase(resolve(projectDir, file)) };
  const tables = await findTables(files ?? [], projectDir);
  refuseDoubles(tables);
  return { kind: "files", tables };
}

function checkDatabase(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true)
    throw new ConfigError(`${path} is a folder, not a database. If it contains data files, name it in files.`);
  if (found?.isFile() === false) throw new ConfigError(`${path} is not a regular file. Correct the path in file.`);
  if (formatOfFile(path) !== undefined)
    throw new ConfigError(`${path} is a data file, not a database. Name it in files.`);
  if (readFileStart(path).startsWith("SQLite format 3"))
    throw new ConfigError(`${path} is a SQLite database, not one of DuckDB. Use type: sqlite.`);
  return path;
}

async function findTables(
  files: NonNullable<DuckDbConfig["files"]>,
  projectDir: string,
): Promise<readonly FileTable[]> {
  const tables: FileTable[] = [];
  if (typeof files === "string" || Array.isArray(files)) {
    for (const path of toPathList(files)) tables.push(...(await tablesOfPath(resolve(projectDir, path))));
  } else {
    for (const [name, patterns] of Object.entries(files))
      tables.push(await tableOfPatterns(name, toPathList(patterns), projectDir));
  }
  return tables;
}

/** Finds the tables of a folder, a file or a pattern of files. Each file is a table. */
async function tablesOfPath(path: string): Promise<readonly FileTable[]> {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const files = isFolder ? await dataFilesIn(path) : await expandPattern(path);
  if (files.length > 0)
    return files.map((file) => ({ name: tableNameOf(file), format: requireFormat(file), files: [file] }));
  if (isFolder)
    throw new ConfigError(`The folder ${path} has no Parquet, CSV or JSON files. Correct the path in files.`);
  throw new ConfigError(`${path} does not exist. Correct the path in files.`);
}

async function dataFilesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory() && formatOfFile(entry.name) !== undefined);
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
    `${file} is not a data file: its name must end in .parquet, .csv, .tsv, .json, .jsonl or .ndjson. Name a database in file.`,
  );
}

/** Refuses two tables with the same name. Like in DuckDB, names are compared without case. */
function refuseDoubles(tables: readonly FileTable[]): void {
  const seen = new Map<string, FileTable>();
  for (const table of tables) {
    const other = seen.get(table.name.toLowerCase());
    if (other !== undefined)
      throw new ConfigError(
        `${basename(table.files[0] ?? "")} and ${basename(other.files[0] ?? "")} would both be the table ${table.name}. Write names for them in files.`,
      );
    seen.set(table.name.toLowerCase(), table);
  }
}
