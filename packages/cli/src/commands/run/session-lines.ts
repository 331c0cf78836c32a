import { type AgentSession, counted } from "@bridle/protocol";
import type { Cli, ProjectCli } from "../../command/cli.ts";
import { nameCommands } from "../../command/name-commands.ts";
import { createPaint } from "../../terminal/paint.ts";
import { printSentence } from "../../terminal/print-sentence.ts";
import { WaitingLine } from "../../terminal/waiting-line.ts";

/** Reports that another process uses the session, and shows a waiting line until the returned function is called. */
export function printBusy(subject: string, holder: string, { stderr, environment }: Cli): () => void {
  printSentence(`${subject} has a run in ${holder}. Waiting until it has ended.`, stderr);
  const line = new WaitingLine(stderr, environment);
  line.restart("waiting");
  return () => line.stop();
}

/** Shows the session at a terminal, because a mistyped id starts a new one. */
export function printSession(session: AgentSession, { stderr, environment }: Cli): void {
  if (!stderr.isTTY) return;
  const { id, totals } = session;
  const messages = session.history().length;
  const begun = messages === 0 ? "new" : counted(messages, "message");
  const text = totals.runs === 0 ? begun : `after ${counted(totals.runs, "run")}`;
  stderr.write(`${createPaint(stderr, environment)("dim", `Session ${id}, ${text}`)}\n`);
}

/** Shows how to resume the session, at a terminal. */
export function printSessionHint(
  sessionId: string | undefined,
  { stderr, environment, outputClosed, project }: ProjectCli,
): void {
  if (sessionId === undefined || !stderr.isTTY || outputClosed.aborted) return;
  const { projectDir, namespace } = project.options;
  const location = [
    ...(projectDir === undefined ? [] : [`--project-dir ${JSON.stringify(projectDir)} `]),
    ...(namespace === undefined ? [] : [`--namespace ${JSON.stringify(namespace)} `]),
  ];
  const line = `To resume: bridle run --session ${sessionId} ${location.join("")}…`;
  stderr.write(`${createPaint(stderr, environment)("dim", nameCommands(line, stderr))}\n`);
}
