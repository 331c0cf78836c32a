import { findStorageProblem, sqliteBusyMs } from "@bridle/core";
import {
  isBridleError,
  StoreBusyError,
  StoreCorruptError,
  StoreError,
  StoreFullError,
  StoreReadOnlyError,
} from "@bridle/protocol";

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
  switch (findStorageProblem(cause, folder)) {
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
    case "damaged":
      return new StoreCorruptError(file, options);
  }
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new StoreError(`The event log ${file} failed: ${reason}. Check the folder, and try again.`, file, options);
}
