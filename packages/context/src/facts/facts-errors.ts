import { isSqliteDamage, readSqliteCode, sqliteBusyMs, sqliteCodes } from "@bridle/core";
import { ConfigError, isBridleError } from "@bridle/protocol";

/** The database of facts cannot be read or written. What it contains can be measured again. */
export class FactsError extends ConfigError {}

/** The file is damaged, or is not a database of facts. */
export class DamagedFactsError extends FactsError {}

/** Another process scans the connection. */
export class ScanRunningError extends FactsError {}

/** Runs work on the file. An error of SQLite becomes one with a remedy. */
export function explainFactsErrors<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (isBridleError(cause)) throw cause;
    throw toFactsError(file, cause);
  }
}

function toFactsError(file: string, cause: unknown): FactsError {
  const problem = cause instanceof Error ? cause.message : String(cause);
  const code = readSqliteCode(cause);
  if (isSqliteDamage(cause) || (cause instanceof Error && /^(ZodError|SyntaxError|\$ZodError)$/.test(cause.name))) {
    const message = `The facts in ${file} are damaged. Remove the file, and scan again: bridle context scan.`;
    return new DamagedFactsError(message, { cause });
  }
  if (code === sqliteCodes.busy || code === sqliteCodes.locked) {
    const waited = `another process has been writing for ${sqliteBusyMs / 1000} s`;
    return new FactsError(`The facts in ${file} cannot be written: ${waited}. Try again.`, { cause });
  }
  if (code === sqliteCodes.full) {
    return new FactsError(`No disk space is left for the facts in ${file}. Free some, and scan again.`, { cause });
  }
  return new FactsError(
    `The facts in ${file} cannot be used: ${problem}. Check that the file is writable, or remove it and scan again.`,
    { cause },
  );
}
