import { accessSync, constants, statfsSync } from "node:fs";
import { systemErrorCode } from "@bridle/protocol";
import { isSqliteDamage, readSqliteCode, sqliteCodes } from "./sqlite-files.ts";

/** A disk with fewer free bytes counts as full, because SQLite needs more than one page to begin. */
const minFreeBytes = 1_000_000;

/** The reasons why a file cannot be read or written that have their own remedy. */
export type StorageProblem = "busy" | "full" | "readOnly" | "damaged";

/**
 * Returns the problem behind an error about a file in the folder, from SQLite or the system; undefined if the error has no special remedy.
 */
export function findStorageProblem(cause: unknown, folder: string): StorageProblem | undefined {
  if (!(cause instanceof Error)) return undefined;
  if (isSqliteDamage(cause) || /^(SyntaxError|\$?ZodError)$/.test(cause.name)) return "damaged"; // some columns contain JSON
  const { busy, locked, full, readOnly, io, cannotOpen } = sqliteCodes;
  switch (readSqliteCode(cause)) {
    case undefined:
      return findSystemProblem(systemErrorCode(cause));
    case busy:
    case locked:
      return "busy";
    case full:
      return "full";
    case readOnly:
      return "readOnly";
    case io:
    case cannotOpen:
      if (isFull(folder)) return "full";
      return isWritable(folder) ? undefined : "readOnly";
    default:
      return undefined;
  }
}

function findSystemProblem(code: string): StorageProblem | undefined {
  if (["ENOSPC", "EDQUOT", "EFBIG"].includes(code)) return "full";
  return ["EACCES", "EPERM", "EROFS"].includes(code) ? "readOnly" : undefined;
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
