import type { ProjectSelector } from "@bridle/app";
import { withoutSession } from "../chat/resume-hint.ts";
import { toPrintableLine } from "../terminal/printable.ts";
import { locationWords, shellWord } from "../terminal/shell-word.ts";

/** Commands that show more about a test run, as the user types them. */
export interface ResultCommands {
  showRun(id: string): string;
  showCase(name: string, trial: number | undefined): string;
  replay(runId: string): string;
}

export function resultCommands(testRunId: string, location: ProjectSelector): ResultCommands {
  const flags = locationWords(location);
  return {
    showRun: (id) => formatCommand(["test", "show", id, ...flags]),
    showCase(name, trial) {
      const which = trial === undefined ? [] : ["--trial", String(trial)];
      return formatCommand(["test", "show", testRunId, "--case", name, ...which, ...flags]);
    },
    replay: (id) => formatCommand(["replay", id, ...flags]),
  };
}

/** The command that resumes a test run with the same options. */
export function formatResumeCommand(words: readonly string[], testRunId: string): string {
  return formatCommand([...withoutSession(words), "--resume", testRunId]);
}

function formatCommand(words: readonly string[]): string {
  return ["bridle", ...words].map((word) => shellWord(toPrintableLine(word))).join(" ");
}
