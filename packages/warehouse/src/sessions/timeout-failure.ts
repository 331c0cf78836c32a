import { TimeoutError } from "@bridle/protocol";

/** Thrown if a statement was ended at its own time limit. */
export class StatementTimeoutError extends TimeoutError {}

/** Returns the failure of a statement that reached its time limit. */
export function timeoutFailure(timeoutMs: number, cause?: unknown): StatementTimeoutError {
  return new StatementTimeoutError(
    `The statement took longer than ${timeoutMs / 1000} s and was ended. Read less, or raise the limit.`,
    { cause },
  );
}

/** Returns the failure of a statement that waited for another session's lock until the server gave up. */
export function lockFailure(cause: unknown): TimeoutError {
  return new TimeoutError("The statement waited too long for a lock of another one. Try again.", { cause });
}
