import { UsageError } from "../context/usage-error.ts";
import { readText } from "../files/read-text.ts";

/** Returns the instructions. For `@file`, returns the content of the file. Throws UsageError if no file is named after `@`. */
export async function readInstructionsFlag(value: string, cwd: string): Promise<string> {
  if (!value.startsWith("@")) return value;
  if (value === "@") throw new UsageError('--system "@" names no file. Write --system @instructions.md, or the text.');
  return readText(value.slice(1), cwd, "The file of instructions", "--system");
}
