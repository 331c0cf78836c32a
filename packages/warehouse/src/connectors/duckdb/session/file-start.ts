import { closeSync, openSync, readSync } from "node:fs";
import { ConfigError } from "@bridle/protocol";

const startBytes = 16;

/** Returns the first bytes of a file, each as one character. */
export function readFileStart(path: string): string {
  try {
    const bytes = Buffer.alloc(startBytes);
    const file = openSync(path, "r");
    try {
      return bytes.toString("latin1", 0, readSync(file, bytes));
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code === "ENOENT") throw new ConfigError(`${path} does not exist. Correct the path in file.`, { cause });
    if (code === "EACCES") throw new ConfigError(`${path} cannot be read. Give this user the permission.`, { cause });
    throw new ConfigError(`${path} cannot be read: ${String(cause)}.`, { cause });
  }
}
