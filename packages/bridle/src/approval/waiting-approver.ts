import type { Environment } from "@bridle/project";
import type { Approval, Approver } from "@bridle/protocol";
import type { Output } from "../cli/cli.ts";
import type { ProjectFlagValues } from "../cli/project-flag.ts";
import { createPaint } from "../run/paint.ts";
import { callLines, type Line, paragraph } from "./question-lines.ts";

interface Waiting {
  readonly stderr: Output;
  readonly environment: Environment;
  /** As it was given to the command that asks; who answers has to name it, too. */
  readonly where: ProjectFlagValues;
}

/** Says what is asked and how another process answers it, and waits for that. Several questions may be open at once. */
export function createWaitingApprover({ stderr, environment, where }: Waiting): Approver {
  const paint = createPaint(stderr, environment);
  const width = (stderr.columns ?? 200) - 1;

  function show(lines: readonly Line[]): void {
    stderr.write(lines.map(({ text, colour }) => `${colour ? paint(colour, text) : text}\n`).join(""));
  }

  function howToAnswer({ id }: Approval): string {
    const { projectDir, namespace } = where;
    const place = [
      ...(projectDir === undefined ? [] : ["--project-dir", JSON.stringify(projectDir)]),
      ...(namespace === undefined ? [] : ["--namespace", JSON.stringify(namespace)]),
    ];
    const command = ["bridle approvals answer", id, "allow", ...place].join(" ");
    return `  Answer from elsewhere, with allow, deny or deny-and-stop:\n  ${command}\n`;
  }

  return (approval, signal) =>
    new Promise((_resolve, reject) => {
      signal.throwIfAborted();
      show(callLines(approval, width, { rest: '"bridle approvals list" shows them' }));
      stderr.write(howToAnswer(approval));
      const leave = () => {
        const why = signal.reason instanceof Error ? signal.reason.message : "";
        show(paragraph(`${approval.id}: ${why}`, width, "dim"));
        reject(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
    });
}
