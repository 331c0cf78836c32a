import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { ConfigError } from "@bridle/core";

/** A file that a flag names. `what` begins the sentence when it cannot be read; the remedy is to correct the flag. */
export async function readText(file: string, cwd: string, what: string, flag: string): Promise<string> {
  try {
    return await readFile(resolve(cwd, file), "utf8");
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
    const reason = code === "ENOENT" ? "does not exist" : `cannot be read (${code})`;
    throw new ConfigError(`${what} ${file} ${reason}. Correct the path after ${flag}.`, { field: flag, cause });
  }
}
