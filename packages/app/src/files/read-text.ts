import { resolve } from "node:path";
import { readTextFile } from "@bridle/core";
import { ConfigError, systemErrorCode } from "@bridle/protocol";

const reasons: Readonly<Record<string, string>> = { ENOENT: "does not exist", EISDIR: "is a folder" };

/**
 * Reads a file that a flag names, without its byte order mark. If the file cannot be read, throws a ConfigError whose message begins with
 * `subject` and asks the user to correct the flag.
 */
export async function readText(file: string, cwd: string, subject: string, flag: string): Promise<string> {
  try {
    return (await readTextFile(resolve(cwd, file))).replace(/^\uFEFF/, "");
  } catch (cause) {
    const code = systemErrorCode(cause);
    const reason = reasons[code] ?? `cannot be read (${code})`;
    throw new ConfigError(`${subject} ${file} ${reason}. Correct the path after ${flag}.`, { field: flag, cause });
  }
}
