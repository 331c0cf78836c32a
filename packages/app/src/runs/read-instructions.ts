import { UsageError } from "../context/usage-error.ts";
import { readText } from "../files/read-text.ts";

/** The instructions themselves, or those in the file after `@`. Throws UsageError when none is named. */
export async function readSystem(value: string, cwd: string): Promise<string> {
  if (!value.startsWith("@")) return value;
  if (value === "@") throw new UsageError('--system "@" names no file. Write --system @instructions.md, or the text.');
  return readText(value.slice(1), cwd, "The file of instructions", "--system");
}
