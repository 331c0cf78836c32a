import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, extname, join, relative, sep } from "node:path";
import { openRegularFile } from "@bridle/core";
import { connectionNameFrom, type FoundDatabase } from "./found-database.ts";

const maxEntries = 2_000;
const deepest = 2;
const ignored = new Set(["node_modules", "dist", "build", "target", "vendor"]);

/** Finds database files below a folder, and folders of data files. Never rejects. */
export async function findDatabaseFiles(cwd: string): Promise<FoundDatabase[]> {
  const files = await listFiles(cwd, deepest, { left: maxEntries });
  const databases = await Promise.all(files.map((file) => describeFile(file, cwd)));
  return [...databases.flatMap((found) => found ?? []), ...describeDataFolders(files, cwd)];
}

async function listFiles(folder: string, depth: number, budget: { left: number }): Promise<string[]> {
  const entries: Dirent[] = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const files: string[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith(".") || ignored.has(entry.name) || budget.left-- <= 0) continue;
    const path = join(folder, entry.name);
    if (entry.isFile()) files.push(path);
    else if (entry.isDirectory() && depth > 0) files.push(...(await listFiles(path, depth - 1, budget)));
  }
  return files;
}

const databaseExtensions = new Set([".db", ".sqlite", ".sqlite3", ".duckdb", ".ddb"]);

/** Identifies a database by its first bytes, because an extension alone is not reliable. */
async function describeFile(path: string, cwd: string): Promise<FoundDatabase | undefined> {
  if (!databaseExtensions.has(extname(path).toLowerCase())) return undefined;
  const head = await readHead(path);
  const type = head.startsWith("SQLite format 3\0") ? "sqlite" : head.slice(8, 12) === "DUCK" ? "duckdb" : undefined;
  if (type === undefined) return undefined;
  const file = relativePath(path, cwd);
  return { name: connectionNameFrom(basename(path, extname(path))), source: file, connection: { type, file } };
}

async function readHead(path: string): Promise<string> {
  try {
    const handle = await openRegularFile(path, Number.POSITIVE_INFINITY);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0);
      return buffer.toString("latin1", 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch {
    return ""; // the file is not offered
  }
}

/** Finds folders with files that DuckDB reads as tables. */
function describeDataFolders(files: readonly string[], cwd: string): FoundDatabase[] {
  const folders = new Map<string, string>();
  for (const file of files) {
    const extension = extname(file).toLowerCase();
    if (extension === ".parquet" || extension === ".csv") folders.set(join(file, ".."), extension);
  }
  return [...folders].map(([folder, extension]) => {
    const path = relativePath(folder, cwd) || ".";
    const files = path === "." ? `*${extension}` : `${path}/*${extension}`;
    const name = connectionNameFrom(basename(folder));
    return { name, source: files, connection: { type: "duckdb", files: [files] } };
  });
}

function relativePath(path: string, cwd: string): string {
  return relative(cwd, path).split(sep).join("/");
}
