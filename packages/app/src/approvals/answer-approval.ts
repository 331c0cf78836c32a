import {
  type ApprovalAnswer,
  type ApprovalStore,
  NotFoundError,
  type OpenApproval,
  type PermissionStore,
  suggestion,
  toRemembered,
} from "@bridle/protocol";
import type { ProjectEventLog } from "../events/event-log.ts";
import type { AnsweredApproval } from "./approval-schemas.ts";

/**
 * Answers an approval request from any process. Only the first answer counts. To refer to the exact input that the user reviewed, the
 * answer can include its `inputHash`.
 *
 * @throws UsageError if no approval request has this id.
 */
export async function answerApproval(
  id: string,
  answer: ApprovalAnswer,
  { approvals }: Pick<ProjectEventLog, "approvals">,
  permissions: Pick<PermissionStore, "add">,
): Promise<AnsweredApproval> {
  const asked = (await approvals.open()).find((each) => each.id === id);
  const { accepted, outcome, message } = await approvals.answer(id, {
    ...answer,
    inputHash: answer.inputHash ?? asked?.inputHash ?? "",
  });
  if (outcome === "unknown") throw await unknownApproval(id, approvals);
  if (outcome === "run-ended" && asked) await remember(asked, answer, permissions);
  return { id, accepted, outcome, message };
}

async function unknownApproval(id: string, approvals: ApprovalStore): Promise<NotFoundError> {
  const ids = (await approvals.open()).map((each) => each.id);
  return new NotFoundError(`There is no approval request "${id}".${suggestion(id, ids)} See "bridle approvals list".`);
}

/** Stores an answer that is valid beyond its session. The run cannot store the answer, because the run has ended. */
async function remember(
  asked: OpenApproval,
  answer: ApprovalAnswer,
  permissions: Pick<PermissionStore, "add">,
): Promise<void> {
  const { scope = "once", decision } = answer;
  if ((scope !== "project" && scope !== "always") || (asked.everyTime && decision === "allow")) return;
  await permissions.add(toRemembered(asked, answer, scope, Date.now()));
}
