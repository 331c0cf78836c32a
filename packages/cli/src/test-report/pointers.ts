import { printableLine } from "../terminal/printable.ts";
import { withoutSession } from "../chat/resume-hint.ts";
import { type ProjectFlagValues } from "../command-line/project-flags.ts";
import { shellWord } from "../terminal/shell-word.ts";
import { type Pointers } from "./failure-lines.ts";

/** Commands that tell more of an invocation, as they are typed. */
export function pointersTo(runId: string, { projectDir, namespace }: ProjectFlagValues) {
  const where = [
    ...(projectDir === undefined ? [] : ["--project-dir", projectDir]),
    ...(namespace === undefined ? [] : ["--namespace", namespace]),
  ];
  const pointers: Pointers = {
    showCase(name, trial) {
      const which = trial === undefined ? [] : ["--trial", String(trial)];
      return commandLine(["test", "show", runId, "--case", name, ...which, ...where]);
    },
    replay: (id) => commandLine(["replay", id, ...where]),
  };
  return { ...pointers, showRun: (id: string) => commandLine(["test", "show", id, ...where]) };
}

/** The same tests once more, but only what is missing of this invocation. */
export function resumingLine(words: readonly string[], runId: string): string {
  return commandLine([...withoutSession(words), "--resume", runId]);
}

function commandLine(words: readonly string[]): string {
  return ["bridle", ...words].map((word) => shellWord(printableLine(word))).join(" ");
}
