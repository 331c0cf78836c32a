import type { Cli } from "../command/cli.ts";
import { toPrintable } from "./printable.ts";

/** A file with the lines to remove and to add. */
interface FileDifference {
  readonly file: string;
  readonly difference: readonly string[];
}

/** How long to wait for the user's answer, in milliseconds. After this time, nothing is written. */
const maxQuestionMs = 600_000;

/** Asks whether to write the difference that was shown. Resolves with false without a terminal, and when `signal` is aborted. */
export async function confirmDifference(
  { stderr, readLine }: Pick<Cli, "stderr" | "readLine">,
  signal?: AbortSignal,
): Promise<boolean> {
  if (signal?.aborted) return false;
  stderr.write("Write this? [y/N] ");
  const timeout = AbortSignal.timeout(maxQuestionMs);
  const line = await readLine?.(signal === undefined ? timeout : AbortSignal.any([timeout, signal]));
  return /^\s*y(?:es)?\s*$/i.test(line ?? "");
}

export function printDifference({ file, difference }: FileDifference, output: Cli["stderr"]): void {
  output.write(toPrintable(`${file}\n${difference.map((line) => `${line}\n`).join("")}`));
}
