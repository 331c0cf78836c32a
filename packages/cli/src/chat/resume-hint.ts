import { type Cli } from "../command-line/cli.ts";
import { shellWord } from "../terminal/shell-word.ts";
import { createPaint } from "../terminal/paint.ts";

/** For whoever left a chat in which something was said. */
export function sayHowToGoOn(
  { id, runs }: { id: string; runs: number },
  { stderr, environment, arguments: given }: Pick<Cli, "stderr" | "environment" | "arguments">,
): void {
  if (runs === 0) return;
  const words = ["bridle", ...withoutSession(given), "--resume", id].map(shellWord);
  stderr.write(`${createPaint(stderr, environment)("dim", `To go on: ${words.join(" ")}`)}\n`);
}

/** What was typed, but for the session that it named. */
export function withoutSession(words: readonly string[]): readonly string[] {
  return words.filter((word, index) => {
    if (/^--(continue|resume)(=|$)/.test(word)) return false;
    return words[index - 1] !== "--resume" || word.startsWith("-");
  });
}
