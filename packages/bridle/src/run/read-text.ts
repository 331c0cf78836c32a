import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { ConfigError } from "@bridle/protocol";

const reasons: Readonly<Record<string, string>> = { ENOENT: "does not exist", EISDIR: "is a folder" };

/** A file that a flag names, without the mark that some editors put at its beginning. `what` begins the sentence when it cannot be read; the remedy is to correct the flag. */
export async function readText(file: string, cwd: string, what: string, flag: string): Promise<string> {
  try {
    return (await readFile(resolve(cwd, file), "utf8")).replace(/^\uFEFF/, "");
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
    const reason = reasons[code] ?? `cannot be read (${code})`;
    throw new ConfigError(`${what} ${file} ${reason}. Correct the path after ${flag}.`, { field: flag, cause });
  }
}
