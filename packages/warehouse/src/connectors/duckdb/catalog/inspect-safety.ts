import type { SafetyFinding } from "../../../port/connector.ts";
import { inspectFiles } from "../../../sessions/inspect-files.ts";
import type { DuckDbSource } from "../session/find-source.ts";
import type { DuckDbReader } from "./catalog-query.ts";

/** Asks DuckDB itself which protections are active. */
export async function inspectDuckDb(reader: DuckDbReader, source: DuckDbSource): Promise<readonly SafetyFinding[]> {
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
    { layer: "parser", ok: true, message: "Each statement is parsed by DuckDB itself, and only one SELECT passes." },
    opened,
    {
      layer: "session",
      ok: closed,
      message: closed
        ? "Other files and extensions cannot be reached, and the settings are locked."
        : "Other files may be reached, because the settings of DuckDB are not locked.",
    },
    inspectFiles(source.kind === "database" ? [source.path] : source.tables.flatMap((table) => table.files)),
  ];
}
