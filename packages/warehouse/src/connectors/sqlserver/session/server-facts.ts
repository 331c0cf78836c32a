import { ConfigError } from "@bridle/protocol";
import type { ServerInfo } from "../../../port/connector.ts";

/** The major version of SQL Server 2016. */
const oldestMajor = 13;

export const serverQuery = `SELECT CONVERT(nvarchar(128), SERVERPROPERTY('ProductVersion')), SCHEMA_NAME(), DB_NAME(),
  (SELECT snapshot_isolation_state FROM sys.databases WHERE database_id = DB_ID())`;

export interface ServerFacts {
  readonly server: ServerInfo;
  /** With SNAPSHOT, a statement reads one state of the database without waiting for other sessions. Not every database allows SNAPSHOT. */
  readonly isolation: "SNAPSHOT" | "READ COMMITTED";
}

/** Reads the answer to `serverQuery`. Throws ConfigError if the server is too old. */
export function readServerFacts([row = []]: readonly (readonly unknown[])[]): ServerFacts {
  const [version, schema, catalog, snapshot] = row.map((value) => (value === null ? undefined : value));
  if (!(Number.parseInt(String(version), 10) >= oldestMajor))
    throw new ConfigError(`SQL Server ${String(version)} is too old. Use SQL Server 2016 (13) or newer.`);
  return {
    server: {
      product: "SQL Server",
      version: String(version),
      defaultSchema: String(schema ?? "dbo"),
      catalog: catalog === undefined ? undefined : String(catalog),
    },
    isolation: Number(snapshot) === 1 ? "SNAPSHOT" : "READ COMMITTED",
  };
}
