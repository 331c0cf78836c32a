import { readText } from "./read-text.ts";

/** The instructions themselves, or those in the file after `@`. */
export async function readSystem(value: string, cwd: string): Promise<string> {
  return value.startsWith("@") ? readText(value.slice(1), cwd, "The file of instructions", "--system") : value;
}
