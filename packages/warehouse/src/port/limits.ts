/** What one statement may use. The connector enforces each limit on the server or at the cursor, never by rewriting the SQL. */
export interface StatementLimits {
  readonly maxRows: number;
  /** Bytes of values, as JSON would count them. */
  readonly maxBytes: number;
  /** Milliseconds, after which the server itself ends the statement if it can. */
  readonly timeoutMs: number;
}

export const defaultLimits: StatementLimits = { maxRows: 1_000, maxBytes: 4_000_000, timeoutMs: 30_000 };
