/** The limits of one statement. The connector enforces each limit on the server or at the cursor, never by rewriting the SQL. */
export interface StatementLimits {
  readonly maxRows: number;
  /** The maximum number of bytes of all values, as JSON would count them. */
  readonly maxBytes: number;
  /** Milliseconds after which the server itself ends the statement, if it can. */
  readonly timeoutMs: number;
}

export const defaultLimits: StatementLimits = { maxRows: 1_000, maxBytes: 4_000_000, timeoutMs: 30_000 };

/** Rows of more bytes are never read, regardless of the limits. */
const maxBytesOfAnyRow = 64_000_000;

/**
 * Returns the maximum number of received bytes for a row within the limits. A character has at most three bytes for each byte that is
 * counted. A longer row is not assembled in memory. The result includes an allowance for other data that a driver holds.
 */
export function maxRowBytes({ maxBytes }: Pick<StatementLimits, "maxBytes">): number {
  return 3 * Math.min(maxBytes, maxBytesOfAnyRow) + 1_000_000;
}
