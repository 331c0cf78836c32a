import { isSqliteDamage, readSqliteCode, sqliteBusyMs, sqliteCodes } from "@bridle/core";
import { ConfigError, getErrorMessage, isBridleError, systemErrorCode } from "@bridle/protocol";

/** The ingest store cannot be read or written. Its content can be fetched and asked again. */
export class IngestStoreError extends ConfigError {}

/** Another process is ingesting into the same project. */
export class IngestRunningError extends IngestStoreError {}

/** Runs work on a file or folder of the store, and adds a remedy to other errors. */
export function explainStoreErrors<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (isBridleError(cause)) throw cause;
    throw new IngestStoreError(messageOf(path, cause), { cause });
  }
}

function messageOf(path: string, cause: unknown): string {
  const code = readSqliteCode(cause);
  const isParserError = cause instanceof Error && /^(\$?ZodError|SyntaxError)$/.test(cause.name);
  if (isSqliteDamage(cause) || isParserError) {
    return `What ingest has stored in ${path} is damaged. Remove the file, and ingest again.`;
  }
  if (code === sqliteCodes.busy || code === sqliteCodes.locked) {
    return `${path} cannot be written: another process has been writing for ${sqliteBusyMs / 1000} s. Try again.`;
  }
  if (code === sqliteCodes.full || ["ENOSPC", "EDQUOT", "EFBIG"].includes(systemErrorCode(cause))) {
    return `No disk space is left for ${path}. Free some, and ingest again. Stored results were kept.`;
  }
  return `${path} cannot be used: ${getErrorMessage(cause)}. Check that it is writable and that the disk is not full.`;
}
