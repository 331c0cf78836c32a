import type { ProjectLocation } from "@bridle/app";
import type { Approver } from "@bridle/protocol";
import type { Cli } from "../command-line/cli.ts";
import { createTerminalApprover } from "./terminal-approver.ts";
import { createWaitingApprover } from "./waiting-approver.ts";

/** The approver of a run: the user at the terminal, or another process. `undefined` if nobody can be asked: `ask` denies. */
export function chooseApprover(
  { approvals, projectDir, namespace }: ProjectLocation & { readonly approvals?: "wait" | "deny" | undefined },
  { environment, stderr, readLine }: Pick<Cli, "environment" | "stderr" | "readLine">,
): Approver | undefined {
  if (approvals === "deny") return undefined;
  if (readLine) return createTerminalApprover({ stderr, readLine, environment });
  if (approvals !== "wait") return undefined;
  return createWaitingApprover({ stderr, environment, location: { projectDir, namespace } });
}
