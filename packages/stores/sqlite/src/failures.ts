import { accessSync, constants, statfsSync } from "node:fs";
import {
  isBridleError,
  StoreBusyError,
  StoreCorruptError,
  StoreError,
  StoreFullError,
  StoreReadOnlyError,
} from "@bridle/protocol";

/** SQLite's primary result codes: https://www.sqlite.org/rescode.html */
const codes = { busy: 5, locked: 6, readOnly: 8, io: 10, corrupt: 11, full: 13, cannotOpen: 14, notADatabase: 26 };

/** How long a write waits for another process to finish its own, in milliseconds. */
export const busyMs = 10_000;

/** Less than this is a full disk: SQLite takes more than a page to begin. */
const someSpace = 1_000_000;

/** Does work on the files of a record; whatever it throws is said as a StoreError about `file`, in `folder`. */
export function explained<T>(file: string, folder: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw explain(cause, file, folder);
  }
}

function explain(cause: unknown, file: string, folder: string): unknown {
  if (isBridleError(cause)) return cause;
  const options = { cause };
  switch (kindOf(cause)) {
    case "busy":
      return new StoreBusyError(
        `The record ${file} is written by another process, which has not finished for ${busyMs / 1000} s. Try again.`,
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
  return new StoreError(`The record ${file} failed: ${reason}. Look at the folder, and try again.`, file, options);
}

type Kind = "busy" | "full" | "readOnly" | "corrupt" | "io" | undefined;

function kindOf(cause: unknown): Kind {
  if (!(cause instanceof Error)) return undefined;
  if (cause instanceof SyntaxError) return "corrupt"; // the fields of an event are JSON
  if ("errcode" in cause && typeof cause.errcode === "number") return kindOfResult(cause.errcode & 0xff);
  const code = "code" in cause ? String(cause.code) : "";
  if (code === "ENOSPC" || code === "EDQUOT") return "full";
  return ["EACCES", "EPERM", "EROFS"].includes(code) ? "readOnly" : undefined;
}

function kindOfResult(code: number): Kind {
  if (code === codes.busy || code === codes.locked) return "busy";
  if (code === codes.full) return "full";
  if (code === codes.readOnly) return "readOnly";
  if (code === codes.corrupt || code === codes.notADatabase) return "corrupt";
  return code === codes.io || code === codes.cannotOpen ? "io" : undefined;
}

function isFull(folder: string): boolean {
  try {
    const { bavail, bsize, files, ffree } = statfsSync(folder);
    return bavail * bsize < someSpace || (files > 0 && ffree === 0);
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
