import { StoreError, StoreFullError, StoreReadOnlyError } from "@bridle/protocol";

/** Writes to a result file. Converts system errors to a StoreError about `path`. */
export function whileWriting<T>(path: string, work: () => T): T {
  return explained(work, (code, reason, options) => {
    if (["ENOSPC", "EDQUOT", "EFBIG"].includes(code)) return new StoreFullError(path, options);
    if (code === "EACCES" || code === "EPERM" || code === "EROFS") return new StoreReadOnlyError(path, options);
    const message = `The results in ${path} cannot be written: ${reason}. Check the folder and try again.`;
    return new StoreError(message, path, options);
  });
}

/** Reads a result file. Converts system errors to a StoreError about `path`. */
export function whileReading<T>(path: string, work: () => T): T {
  return explained(work, (_code, reason, options) => {
    const message = `The results in ${path} cannot be read: ${reason}. Check the file and try again.`;
    return new StoreError(message, path, options);
  });
}

function explained<T>(work: () => T, explain: (code: string, reason: string, options: ErrorOptions) => StoreError): T {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof Error) || !("syscall" in cause) || !("code" in cause)) throw cause; // not a system error
    throw explain(String(cause.code), cause.message, { cause });
  }
}
