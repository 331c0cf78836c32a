/** Records statements that took longer than their limit, so that the next scan does not wait for them again. */
import { formatDuration } from "@bridle/protocol";
import { StatementTimeoutError } from "@bridle/warehouse";

/** Work that was not done in time: reading a table, or counting the keys of a table that was read as a sample. */
type Late = "unread in time" | "uncounted in time";

/** Returns the fingerprint of a table if work on it was not done in time. A scan with a higher limit tries the work again. */
export function lateMark(late: Late, limitMs: number, fingerprint: string): string {
  return `${late} ${limitMs} ${fingerprint}`;
}

/** Returns the work that a stored fingerprint marks as not done within a limit at least as long as this one. */
export function findLate(stored: string, limitMs: number, fingerprint: string): Late | undefined {
  const [, late, limit, rest] = /^(unread in time|uncounted in time) (\d+) (.*)$/.exec(stored) ?? [];
  if (rest !== fingerprint || Number(limit) < limitMs) return undefined;
  return late === "unread in time" ? late : "uncounted in time";
}

export function isLateMark(stored: string): boolean {
  return /^un(?:read|counted) in time /.test(stored);
}

/** Explains why a part of the scan failed, in a sentence for users. */
export function describeScanFailure(error: unknown, limitMs: number): string {
  if (error instanceof StatementTimeoutError) return describeTimeout(limitMs);
  return error instanceof Error ? error.message : String(error);
}

export function describeTimeout(limitMs: number): string {
  const limit = formatDuration(limitMs);
  return `It took longer than ${limit}, and is tried again after a change, with --refresh, or if context.scan.seconds is raised.`;
}
