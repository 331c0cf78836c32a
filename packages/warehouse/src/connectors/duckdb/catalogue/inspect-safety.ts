import { accessSync, constants } from "node:fs";
import type { SafetyFinding } from "../../../port/connector.ts";
import type { DuckDbSource } from "../session/find-source.ts";
import type { CatalogueReader } from "./catalogue-query.ts";

/** Asks DuckDB itself what it would stop. */
export async function inspectDuckDb(reader: CatalogueReader, source: DuckDbSource): Promise<readonly SafetyFinding[]> {
  const [row] = await reader.read(
    `SELECT (SELECT bool_and(readonly) FROM duckdb_databases() WHERE database_name = current_database()),
       NOT current_setting('enable_external_access'), current_setting('lock_configuration')`,
  );
  const [isReadOnly, isClosed, isLocked] = row ?? [];
  const opened: SafetyFinding =
    source.kind === "files"
      ? {
          layer: "session",
          ok: true,
          message: "The files are views in a database in memory, and transactions are read-only.",
        }
      : isReadOnly === true
        ? { layer: "session", ok: true, message: "The database file is opened read-only." }
        : { layer: "session", ok: false, message: "The database file is not opened read-only." };
  const closed = isClosed === true && isLocked === true;
  return [
    opened,
    {
      layer: "session",
      ok: closed,
      message: closed
        ? "Other files and extensions cannot be reached, and the settings are locked."
        : "Other files may be reached, because the settings of DuckDB are not locked.",
    },
    { layer: "account", ok: true, message: describeAccount(source) },
  ];
}

/** DuckDB has no accounts: what counts is the permission of the files. */
function describeAccount(source: DuckDbSource): string {
  const files = source.kind === "database" ? [source.path] : source.tables.flatMap((table) => table.files);
  return files.some(isWritable)
    ? "DuckDB has no accounts. This user may write to the files, but the session cannot."
    : "DuckDB has no accounts. This user may not write to the files.";
}

function isWritable(file: string): boolean {
  try {
    accessSync(file, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
