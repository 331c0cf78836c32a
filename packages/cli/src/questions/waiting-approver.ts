import type { Environment, ProjectSelector } from "@bridle/app";
import type { Approval, Approver } from "@bridle/protocol";
import type { Output } from "../command/cli.ts";
import { nameCommands } from "../command/name-commands.ts";
import { createPaint } from "../terminal/paint.ts";
import { callLines, paintLines, paragraph } from "./question-lines.ts";

interface WaitingOptions {
  readonly stderr: Output;
  readonly environment: Environment;
  /** The project of the run. The process that answers has to name the same project. */
  readonly selector: ProjectSelector;
}

/** Shows each question with the command to answer it, and waits. Several questions can be open at the same time. */
export function createWaitingApprover({ stderr, environment, selector }: WaitingOptions): Approver {
  const paint = createPaint(stderr, environment);
  const width = (stderr.columns ?? 200) - 1;
  return (approval, signal) =>
    new Promise((_resolve, reject) => {
      signal.throwIfAborted();
      const lines = [
        ...callLines(approval, width, { remedy: nameCommands('"bridle approvals list --json" shows them', stderr) }),
        ...paragraph("Answer from another terminal with allow, deny or deny-and-stop:", width),
      ];
      stderr.write(`${paintLines(lines, paint)}${nameCommands(formatCommand(approval, selector), stderr)}`);
      const leave = () => {
        const why = signal.reason instanceof Error ? signal.reason.message : "";
        stderr.write(paintLines(paragraph(`${approval.id}: ${why}`, width, "dim"), paint));
        reject(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
    });
}

/** Formats a command on one line, however long, so that it can be copied. */
function formatCommand({ id }: Approval, { projectDir, namespace }: ProjectSelector): string {
  const location = [
    ...(projectDir === undefined ? [] : ["--project-dir", JSON.stringify(projectDir)]),
    ...(namespace === undefined ? [] : ["--namespace", JSON.stringify(namespace)]),
  ];
  const command = ["bridle approvals answer", id, "allow", ...location].join(" ");
  return `  ${command}\n`;
}
