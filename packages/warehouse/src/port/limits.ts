/** What one statement may use. The connector enforces each limit on the server or at the cursor, never by rewriting the SQL. */
export interface StatementLimits {
  readonly maxRows: number;
  /** Bytes of values, as JSON would count them. */
  readonly maxBytes: number;
  /** Milliseconds, after which the server itself ends the statement if it can. */
  readonly timeoutMs: number;
}

export const defaultLimits: StatementLimits = { maxRows: 1_000, maxBytes: 4_000_000, timeoutMs: 30_000 };

/** Longer rows are never read, whatever the limits are. */
const maxRowBytes = 64_000_000;

/**
 * The bytes of a row as it arrives that cannot be within the limits: no character has more than three bytes for each that is counted.
 * It is not put together in memory. What a driver holds beside the row is allowed for.
 */
export function maxRowBytes({ maxBytes }: Pick<StatementLimits, "maxBytes">): number {
  return 3 * Math.min(maxBytes, maxRowBytes) + 1_000_000;
}
