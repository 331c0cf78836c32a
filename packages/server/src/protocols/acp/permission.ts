/** Converts a question about a call to a permission request, and the outcome to an answer. Pure. */
import type { PermissionOption, RequestPermissionOutcome, ToolCallUpdate } from "@agentclientprotocol/sdk";
import type { Approval, ApprovalAnswer } from "@bridle/protocol";
import { describeAsker } from "../shared/inner-questions.ts";
import { toCallContent } from "./tool-updates.ts";

const answers = {
  allow: { decision: "allow" },
  "allow-session": { decision: "allow", scope: "session" },
  "allow-project": { decision: "allow", scope: "project" },
  deny: { decision: "deny" },
  "deny-project": { decision: "deny", scope: "project" },
  stop: { decision: "deny-and-stop" },
} as const satisfies Record<string, ApprovalAnswer>;

const options: readonly (PermissionOption & { readonly optionId: keyof typeof answers })[] = [
  { optionId: "allow", kind: "allow_once", name: "Allow" },
  { optionId: "allow-session", kind: "allow_always", name: "Allow in this session" },
  { optionId: "allow-project", kind: "allow_always", name: "Always allow in this project" },
  { optionId: "deny", kind: "reject_once", name: "Deny" },
  { optionId: "deny-project", kind: "reject_always", name: "Always deny in this project" },
];

type Asked = Pick<Approval, "everyTime" | "preview" | "reason" | "problem" | "nested" | "labels">;

/** Offers only answers that the rule allows to remember. */
export function permissionOptions({ everyTime }: Pick<Asked, "everyTime">): PermissionOption[] {
  return options.filter(({ kind }) => !(everyTime && kind === "allow_always")).map((option) => ({ ...option }));
}

/** Formats what the user needs to decide: the reason for the question, and the effect of the call. */
export function questionContent(asked: Asked): NonNullable<ToolCallUpdate["content"]> {
  const { preview, reason, problem } = asked;
  return [describeAsker(asked), problem, reason, preview].flatMap((text) => toCallContent(text ?? ""));
}

/** Converts an outcome to an answer. An unknown outcome denies the call, and a cancelled request ends the run. */
export function toApprovalAnswer(outcome: RequestPermissionOutcome): ApprovalAnswer {
  if (outcome.outcome === "cancelled") return answers.stop;
  const chosen = Object.entries(answers).find(([id]) => id === outcome.optionId);
  return chosen?.[1] ?? answers.deny;
}
