/** Groups database errors by their remedy. The codes are in appendix A of PostgreSQL's documentation. */
import { isBridleError, StoreBusyError, StoreError, StoreFullError } from "@bridle/protocol";

/**
 * `lost`: the connection is gone, or the server is not ready; the outcome of the last statement is unknown. `conflict`: another transaction
 * interfered. In both cases, the statement can be tried again. `full` and `readOnly` have to be repaired on the server.
 */
export type DatabaseFailure = "lost" | "conflict" | "full" | "readOnly" | "other";

export function classifyDatabaseError(error: unknown): DatabaseFailure {
  if (!(error instanceof Error) || isBridleError(error)) return "other";
  const code = "code" in error ? String(error.code) : "";
  if (/^(?:08|57P|57014|53300|E[A-Z])/.test(code)) return "lost";
  if (/^(?:40|55P03)/.test(code)) return "conflict";
  if (code.startsWith("53")) return "full";
  if (code === "25006") return "readOnly";
  return code === "" && connectionMessages.test(error.message) ? "lost" : "other";
}

/** Matches errors of the package `pg` that have no code. */
const connectionMessages = /connection|terminated|timeout|not queryable/i;

/** Turns a database error into a StoreError with a remedy. `address` names the database. */
export function toEventLogError(cause: unknown, address: string): Error {
  if (isBridleError(cause)) return cause;
  const options = { cause };
  const problem = describeProblem(cause);
  switch (classifyDatabaseError(cause)) {
    case "lost":
      return new StoreError(
        `The event log in ${address} cannot be reached: ${problem}. Check that the server is running, and try again.`,
        address,
        { ...options, retryable: true },
      );
    case "conflict":
      return new StoreBusyError(`The event log in ${address} is busy: ${problem}. Try again.`, address, options);
    case "full":
      return new StoreFullError(address, options);
    case "readOnly":
      return new StoreError(
        `The event log in ${address} cannot be written: ${problem}. Connect to the primary server.`,
        address,
        { ...options, code: "store_read_only" },
      );
    case "other":
      return new StoreError(`The event log in ${address} failed: ${problem}. ${remedyFor(cause)}`, address, options);
  }
}

function describeProblem(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.message || ("code" in cause ? String(cause.code) : cause.name); // Node.js joins errors without a message
}

function remedyFor(cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (code.startsWith("28")) return "Correct the user and the password in the url.";
  if (code === "3D000") return "Create that database, or correct the url.";
  if (code === "42501") return "Let that user create and use a schema in the database.";
  return "Correct the cause, and try again.";
}
