/** The questions that an interrupted run left open, and the answers that came later. */
import {
  type EventDraft,
  type EventLog,
  getErrorMessage,
  type OrphanedApproval,
  omitUndefined,
  type PermissionStore,
  toRemembered,
} from "@bridle/protocol";
import { checkAnswer, type SettledQuestion, toDecision } from "../approvals/approval-question.ts";

export interface LateAnswerServices {
  eventLog: EventLog;
  permissions: PermissionStore;
  now(): number;
}

/**
 * Settles the orphaned questions of a session and of the runs that it has called: with a late answer if there is one, otherwise as ended.
 * Returns the events that the next run has to log. First stores the answers that outlive the session.
 */
export async function settleOrphaned(sessionId: string, services: LateAnswerServices): Promise<readonly EventDraft[]> {
  const drafts: EventDraft[] = [];
  for (const orphaned of (await services.eventLog.approvals?.takeOver(sessionId)) ?? []) {
    drafts.push(...(await settle(orphaned, services)));
  }
  return drafts;
}

async function settle(orphaned: OrphanedApproval, { permissions, now }: LateAnswerServices): Promise<EventDraft[]> {
  const { question } = orphaned;
  const { approvalId, callId, nested } = question;
  const settled = settledFrom(orphaned);
  const decision = toDecision(question, settled);
  const draft: EventDraft = { type: "approval.decided", approvalId, callId, ...omitUndefined({ nested }), ...decision };
  if (decision.scope !== "project" && decision.scope !== "always") return [draft];
  try {
    await permissions.add(toRemembered(question, settled.answer, decision.scope, now()));
    return [draft];
  } catch (error) {
    const message = `An answer could not be remembered: ${getErrorMessage(error)}`;
    return [draft, { type: "notice", level: "warning", code: "answer-not-remembered", message }];
  }
}

function settledFrom({ question, answer }: OrphanedApproval): SettledQuestion {
  if (answer === undefined) return { answer: { decision: "deny" }, source: "run-ended" };
  return checkAnswer(answer, { ...question, id: question.approvalId });
}
