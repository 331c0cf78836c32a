import { isSqliteDamage, readSqliteCode, sqliteBusyMs, sqliteCodes } from "@bridle/core";
import { ConfigError, isBridleError } from "@bridle/protocol";

/** The facts database cannot be read or written. Its contents can be measured again. */
export class FactsError extends ConfigError {}

/** The file is damaged, or is not a facts database. */
export class DamagedFactsError extends FactsError {}

/** Another process scans the connection. */
export class ScanRunningError extends FactsError {}

/** The contents of a state file, and how the user restores them. */
interface StoredPart {
  readonly name: string;
  readonly again: string;
}

const factsPart: StoredPart = { name: "facts", again: "scan again" };
export const descriptionsPart: StoredPart = { name: "descriptions", again: "let the model write them again" };
export const changesPart: StoredPart = { name: "changes", again: "try again" };
export const vectorsPart: StoredPart = { name: "vectors", again: "search again" };

/** Runs `work` on the file. Converts SQLite errors to errors with a remedy. */
export function explainFactsErrors<T>(file: string, work: () => T, part = factsPart): T {
  try {
    return work();
  } catch (cause) {
    if (isBridleError(cause)) throw cause;
    throw toFactsError(file, part, cause);
  }
}

const commands: Readonly<Record<string, string>> = {
  facts: "bridle context scan",
  descriptions: "bridle context scan --describe",
};

function toFactsError(file: string, { name, again }: StoredPart, cause: unknown): FactsError {
  const problem = cause instanceof Error ? cause.message : String(cause);
  const code = readSqliteCode(cause);
  if (isSqliteDamage(cause) || (cause instanceof Error && /^(ZodError|SyntaxError|\$ZodError)$/.test(cause.name))) {
    const command = commands[name] === undefined ? "" : `: ${commands[name]}`;
    const message = `The ${name} in ${file} are damaged. Remove the file, and ${again}${command}.`;
    return new DamagedFactsError(message, { cause });
  }
  if (code === sqliteCodes.busy || code === sqliteCodes.locked) {
    const waited = `another process has been writing for ${sqliteBusyMs / 1000} s`;
    return new FactsError(`The ${name} in ${file} cannot be written: ${waited}. Try again.`, { cause });
  }
  if (code === sqliteCodes.full) {
    return new FactsError(`No disk space is left for the ${name} in ${file}. Free some, and ${again}.`, { cause });
  }
  return new FactsError(
    `The ${name} in ${file} cannot be used: ${problem}. Check that the file is writable and the disk is not full, or remove it and ${again}.`,
    { cause },
  );
}
