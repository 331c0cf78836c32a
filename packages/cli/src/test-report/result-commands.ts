import type { ProjectSelector } from "@bridle/app";
import { shellWord } from "@bridle/protocol/text";
import type { Output } from "../command/cli.ts";
import { toPrintableLine } from "../terminal/printable.ts";
import { withoutSession } from "../terminal/resume-hint.ts";

/** Commands that show more about a test run, as the user types them. */
export interface ResultCommands {
  showRun(id: string): string;
  showCase(name: string, trial: number | undefined): string;
  replay(runId: string): string;
}

export function resultCommands(
  testRunId: string,
  location: ProjectSelector,
  { command = "bridle" }: Pick<Output, "command"> = {},
): ResultCommands {
  const flags = locationWords(location);
  const formatCommand = (words: readonly string[]) => formatWords(command, words);
  return {
    showRun: (id) => formatCommand(["test", "show", id, ...flags]),
    showCase(name, trial) {
      const which = trial === undefined ? [] : ["--trial", String(trial)];
      return formatCommand(["test", "show", testRunId, "--case", name, ...which, ...flags]);
    },
    replay: (id) => formatCommand(["replay", id, ...flags]),
  };
}

/** Returns the flags that select the same project again, as separate words. */
function locationWords({ projectDir, namespace }: ProjectSelector): string[] {
  return [
    ...(projectDir === undefined ? [] : ["--project-dir", projectDir]),
    ...(namespace === undefined ? [] : ["--namespace", namespace]),
  ];
}

/** Returns the command that resumes a test run with the same options. */
export function formatResumeCommand(
  words: readonly string[],
  testRunId: string,
  { command = "bridle" }: Pick<Output, "command"> = {},
): string {
  return formatWords(command, [...withoutSession(words), "--resume", testRunId]);
}

function formatWords(command: string, words: readonly string[]): string {
  return [command, ...words.map((word) => shellWord(toPrintableLine(word)))].join(" ");
}
