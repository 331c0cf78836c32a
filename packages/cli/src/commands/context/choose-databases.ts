import type { FoundDatabase } from "@bridle/app/warehouses";
import { isCancel, multiselect } from "@clack/prompts";
import { toPrintableLine } from "../../terminal/printable.ts";
import { Cancelled } from "../init/questions.ts";

/** Asks in the terminal of this process which databases to add. Rejects with Cancelled if the user leaves. */
export async function chooseDatabases(
  found: readonly FoundDatabase[],
  signal: AbortSignal,
): Promise<readonly FoundDatabase[]> {
  const chosen = await multiselect<string>({
    input: process.stdin,
    output: process.stderr,
    signal,
    message: "Which databases may agents read?",
    required: false,
    initialValues: found.map(({ name }) => name),
    options: found.map(({ name, source }) => ({ value: name, label: name, hint: toPrintableLine(source) })),
  });
  if (isCancel(chosen)) throw new Cancelled();
  return found.filter(({ name }) => chosen.includes(name));
}
