/** What the run before left open when it broke off: its questions, and what was answered since. */
import {
  type EventDraft,
  type EventLog,
  type OrphanedApproval,
  type PermissionStore,
  reasonOf,
  toRemembered,
} from "@bridle/protocol";
import { checkAnswer, decisionOf, type SettledQuestion } from "../approvals/ask-person.ts";

export interface LateAnswerServices {
  record: EventLog;
  permissions: PermissionStore;
  now(): number;
}

/**
 * Settles the questions of a session that no run waits for any more: with the answers that came since, else as ended.
 * Returns what the next run has to put on record. Answers that outlive the session are remembered before.
 */
export async function settleLeftOpen(sessionId: string, services: LateAnswerServices): Promise<readonly EventDraft[]> {
  const drafts: EventDraft[] = [];
  for (const left of services.record.approvals?.takeOver(sessionId) ?? []) {
    drafts.push(...(await settle(left, services)));
  }
  return drafts;
}

async function settle(left: OrphanedApproval, { permissions, now }: LateAnswerServices): Promise<EventDraft[]> {
  const { question } = left;
  const { approvalId, callId, tool } = question;
  const settled = settledOf(left);
  const decision = decisionOf(question, settled);
  const draft: EventDraft = { type: "approval.decided", approvalId, callId, ...decision };
  if (decision.scope !== "project" && decision.scope !== "always") return [draft];
  try {
    await permissions.add(toRemembered(tool, settled.answer, decision.scope, now()));
    return [draft];
  } catch (error) {
    const message = `An answer could not be remembered: ${reasonOf(error)}`;
    return [draft, { type: "notice", level: "warning", code: "answer-not-remembered", message }];
  }
}

function settledOf({ question, answer }: OrphanedApproval): SettledQuestion {
  if (answer === undefined) return { answer: { decision: "deny" }, source: "run-ended" };
  return checkAnswer(answer, { ...question, id: question.approvalId });
}
