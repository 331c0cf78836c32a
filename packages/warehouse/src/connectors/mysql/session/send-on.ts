import type { Connection } from "mysql2";
import { statementFailure } from "./failures.ts";

/** Time limit for one query of the connector itself. */
export const catalogTimeoutMs = 120_000;

/** The server ends a query itself. If it stays silent this much longer, the connection is lost. */
const graceMs = 5_000;

/** Sends one statement on a connection, and returns its rows. */
export function sendOn(connection: Connection, sql: string): Promise<unknown[][]> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown[][]>();
  connection.query({ sql, rowsAsArray: true, timeout: catalogTimeoutMs + graceMs }, (error, rows) => {
    if (error) reject(statementFailure(error, catalogTimeoutMs));
    else resolve(Array.isArray(rows) ? rows.filter((row) => Array.isArray(row)) : []);
  });
  return promise;
}
