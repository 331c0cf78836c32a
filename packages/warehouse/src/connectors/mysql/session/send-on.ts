import type { Connection } from "mysql2";
import { statementFailure } from "./failures.ts";

/** The time limit for one of the connector's own queries, in milliseconds. */
export const catalogTimeoutMs = 120_000;

/**
 * The server itself ends a query at its time limit. If the server stays silent for this many milliseconds more, the connection counts as
 * lost.
 */
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
