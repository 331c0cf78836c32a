import type { CatalogOptions } from "../port/connector.ts";
import { type PooledSession, type SessionPool, throwIfStopped } from "./session-pool.ts";
import { StatementAllowance } from "./statement-allowance.ts";

/** Sends a query of the connector itself, and returns its rows. */
export type SendQuery = (sql: string) => Promise<unknown[][]>;

/** A session that can send queries of the connector itself. */
export interface QueryingSession extends PooledSession {
  send: SendQuery;
}

/** Reads the catalog with several queries on one session. The queries are counted, and none is sent after the signal. */
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
