import type { Approver } from "@bridle/protocol";
import type { ProjectCli } from "../command/cli.ts";
import { createTerminalApprover } from "./terminal-approver.ts";
import { createWaitingApprover } from "./waiting-approver.ts";

/** Chooses the approver of a run: the user at the terminal, or another process. `undefined` if there is neither; `ask` then denies. */
export function chooseApprover(
  approvals: "wait" | "deny" | undefined,
  { environment, stderr, readLine, project }: Pick<ProjectCli, "environment" | "stderr" | "readLine" | "project">,
): Approver | undefined {
  if (approvals === "deny") return undefined;
  if (readLine) return createTerminalApprover({ stderr, readLine, environment });
  return approvals === "wait" ? createWaitingApprover({ stderr, environment, selector: project.options }) : undefined;
}
