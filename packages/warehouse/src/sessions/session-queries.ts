import type { CatalogOptions } from "../port/connector.ts";
import { type PooledSession, type SessionPool, throwIfStopped } from "./session-pool.ts";
import { StatementAllowance } from "./statement-allowance.ts";

/** Sends one of the connector's own queries, and returns its rows. */
export type SendQuery = (sql: string) => Promise<unknown[][]>;

/** A session that can send the connector's own queries. */
export interface QueryingSession extends PooledSession {
  send: SendQuery;
}

/** Reads the catalog with several queries on one session. Counts the queries, and sends none after the signal was aborted. */
export function readCatalog<Session extends QueryingSession, T>(
  pool: SessionPool<Session>,
  work: (send: SendQuery, session: Session) => Promise<T>,
  { signal, maxStatements }: CatalogOptions = {},
): Promise<T> {
  const allowance = new StatementAllowance(maxStatements);
  return pool.use((session) => {
    const send: SendQuery = async (sql) => {
      throwIfStopped(signal);
      allowance.take();
      pool.statements += 1;
      return session.send(sql);
    };
    return work(send, session);
  }, signal);
}
