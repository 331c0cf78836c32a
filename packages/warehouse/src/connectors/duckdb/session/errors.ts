/** Converts DuckDB's errors to one sentence. */
import { AuthenticationError, BridleError, ConfigError, InvalidRequestError, NetworkError } from "@bridle/protocol";

/** Returns DuckDB's message without the error kind, the marked line of the statement, and everything after that line. */
export function reasonOfDuckDb(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [first = ""] = message.split(/\n\s*\n|\nLINE \d+:/);
  return first
    .replace(/^Failed to extract statements: /, "")
    .replace(/^[A-Z][A-Za-z ]* Error: /, "")
    .replaceAll(/\s*\n\s*/g, " ")
    .trim()
    .replace(/[.!]$/, "");
}

/** Explains why a database file cannot be opened. */
export function openError(path: string, cause: unknown): BridleError {
  const message = cause instanceof Error ? cause.message : String(cause);
  const refuse = (text: string) => new ConfigError(`${path} ${text}`, { cause });
  if (/does not exist/i.test(message)) return refuse("does not exist. Correct the path of the connection.");
  if (/Conflicting lock/i.test(message)) {
    const holder = /\(PID (\d+)\)/.exec(message)?.[1];
    const who = holder === undefined ? "another process" : `the process ${holder}`;
    return new NetworkError(`${path} is locked by ${who}, which writes to it. Close it there, and try again.`, {
      cause,
    });
  }
  if (/version number/i.test(message))
    return refuse("was written by a newer version of DuckDB. Update the package @duckdb/node-api.");
  if (/not a valid DuckDB database/i.test(message))
    return refuse("is not a DuckDB database. Correct the path or the type.");
  if (/Corrupt database/i.test(message))
    return refuse(`is damaged (${reasonOfDuckDb(cause)}). Restore it from a copy.`);
  if (/encrypt|cipher/i.test(message))
    return refuse("is encrypted, which is not supported. Use a copy without encryption.");
  if (/Permission denied/i.test(message))
    return new AuthenticationError(`${path} cannot be read: permission denied. Check its permissions.`, { cause });
  return refuse(`cannot be opened: ${reasonOfDuckDb(cause)}.`);
}

/** Explains why a statement failed. */
export function statementError(cause: unknown): BridleError {
  if (cause instanceof BridleError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  if (/^Out of Memory/i.test(message))
    return new InvalidRequestError(
      "DuckDB has not enough memory for the statement. Read fewer rows or columns, or raise memory of the connection.",
      { cause },
    );
  return new InvalidRequestError(`DuckDB: ${reasonOfDuckDb(cause)}.`, { cause });
}
