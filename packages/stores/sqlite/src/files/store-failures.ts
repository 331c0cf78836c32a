import { accessSync, constants, statfsSync } from "node:fs";
import { isSqliteDamage, readSqliteCode, sqliteBusyMs, sqliteCodes } from "@bridle/core";
import {
  isBridleError,
  StoreBusyError,
  StoreCorruptError,
  StoreError,
  StoreFullError,
  StoreReadOnlyError,
  systemErrorCode,
} from "@bridle/protocol";

/** A disk with fewer free bytes counts as full, because SQLite needs more than a page to begin. */
const minFreeBytes = 1_000_000;

/** Runs `work` on the files of an event log, and turns every error into a StoreError about `file` in `folder`. */
export function withStoreErrors<T>(file: string, folder: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw toStoreError(cause, file, folder);
  }
}

function toStoreError(cause: unknown, file: string, folder: string): unknown {
  if (isBridleError(cause)) return cause;
  const options = { cause };
  switch (classifyCause(cause)) {
    case "busy":
      return new StoreBusyError(
        `The event log ${file} is busy: another process has been writing for ${sqliteBusyMs / 1000} s. Try again.`,
        file,
        options,
      );
    case "full":
      return new StoreFullError(folder, options);
    case "readOnly":
      return new StoreReadOnlyError(folder, options);
    case "corrupt":
      return new StoreCorruptError(file, options);
    case "io":
      if (isFull(folder)) return new StoreFullError(folder, options);
      if (!isWritable(folder)) return new StoreReadOnlyError(folder, options);
  }
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new StoreError(`The event log ${file} failed: ${reason}. Check the folder, and try again.`, file, options);
}

type Kind = "busy" | "full" | "readOnly" | "corrupt" | "io" | undefined;

function classifyCause(cause: unknown): Kind {
  if (!(cause instanceof Error)) return undefined;
  if (cause instanceof SyntaxError) return "corrupt"; // the fields of an event are JSON
  const result = readSqliteCode(cause);
  if (result !== undefined) return isSqliteDamage(cause) ? "corrupt" : classifyResult(result);
  const code = systemErrorCode(cause);
  if (code === "ENOSPC" || code === "EDQUOT") return "full";
  return ["EACCES", "EPERM", "EROFS"].includes(code) ? "readOnly" : undefined;
}

function classifyResult(code: number): Kind {
  if (code === sqliteCodes.busy || code === sqliteCodes.locked) return "busy";
  if (code === sqliteCodes.full) return "full";
  if (code === sqliteCodes.readOnly) return "readOnly";
  return code === sqliteCodes.io || code === sqliteCodes.cannotOpen ? "io" : undefined;
}

function isFull(folder: string): boolean {
  try {
    const { bavail, bsize, files, ffree } = statfsSync(folder);
    return bavail * bsize < minFreeBytes || (files > 0 && ffree === 0);
  } catch {
    return false;
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
