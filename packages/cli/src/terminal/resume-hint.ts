import { shellWord } from "@bridle/protocol/text";
import type { Cli } from "../command/cli.ts";
import { createPaint } from "./paint.ts";

/** Shows how to resume a chat, if it has any runs. */
export function printResumeHint(
  { id, runs }: { id: string; runs: number },
  { stderr, environment, arguments: given }: Pick<Cli, "stderr" | "environment" | "arguments">,
): void {
  if (runs === 0) return;
  const words = [...withoutSession(given), "--resume", id].map(shellWord);
  const command = [stderr.command ?? "bridle", ...words].join(" ");
  stderr.write(`${createPaint(stderr, environment)("dim", `To resume: ${command}`)}\n`);
}

/** Returns the words of the command line without the flags that select a session. */
export function withoutSession(words: readonly string[]): readonly string[] {
  return words.filter((word, index) => {
    if (/^--(continue|resume)(=|$)/.test(word)) return false;
    return words[index - 1] !== "--resume" || word.startsWith("-");
  });
}
