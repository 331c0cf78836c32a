import {
  approvalEvents,
  type EventLog,
  type EventOf,
  pendingQuestions,
  type Question,
  type RunEvent,
} from "@bridle/protocol";
import { z } from "zod";

const decided = approvalEvents["approval.decided"].shape;

/** A question with its answer. */
export const decidedApprovalSchema = z.strictObject({
  id: z.string(),
  run: z.string(),
  session: z.string().nullable(),
  tool: z.string(),
  /** `since`: when the question was asked. `at`: when the run got the answer. */
  since: z.iso.datetime(),
  at: z.iso
    .datetime()
    .nullable()
    .describe("null if the run had ended, so that the answer waits for the next run of its session."),
  decision: decided.decision,
  source: decided.source,
  scope: decided.scope,
  by: z.string().nullable(),
  message: z.string().nullable(),
});
export type DecidedApproval = z.output<typeof decidedApprovalSchema>;

/** The number of sessions to search for answers. */
const searchedSessions = 20;
/** The number of events to search in each session, from its end. */
const searchedEvents = 1000;

type ReadLog = Pick<EventLog, "sessions" | "read" | "approvals">;

/**
 * Lists the newest answers, newest first, preceded by answers that wait for a run. Searches only the newest events of the newest
 * sessions.
 */
export async function listDecidedApprovals(eventLog: ReadLog, max: number): Promise<DecidedApproval[]> {
  const found: DecidedApproval[] = [];
  for (const { sessionId } of await eventLog.sessions({ last: searchedSessions })) {
    const events = await eventLog.read({ sessionId, last: searchedEvents, withoutDeltas: true });
    found.push(...decisionsIn(events), ...(await readWaiting(eventLog, events)));
  }
  return found.sort((a, b) => (b.at ?? latest).localeCompare(a.at ?? latest)).slice(0, max);
}

/** A string that sorts after every timestamp. */
const latest = "~";

/** Finds the answers to questions that the same events contain. The answers to a nested run's questions are in that run's log. Pure. */
function decisionsIn(events: Iterable<RunEvent>): DecidedApproval[] {
  const questions = new Map<string, EventOf<"approval.requested">>();
  const decisions: DecidedApproval[] = [];
  for (const event of events) {
    if (event.type === "approval.requested" && !event.nested) questions.set(event.approvalId, event);
    const asked = event.type === "approval.decided" ? questions.get(event.approvalId) : undefined;
    if (event.type === "approval.decided" && asked) decisions.push(describe(asked, event, event));
  }
  return decisions;
}

/** Reads answers that were given after the run had ended. The event log contains them once the next run has used them. */
async function readWaiting({ approvals }: ReadLog, events: Iterable<RunEvent>): Promise<DecidedApproval[]> {
  const waiting: DecidedApproval[] = [];
  for (const question of pendingQuestions([...events])) {
    const answer = await approvals?.answerTo(question.approvalId);
    if (answer === undefined) continue;
    waiting.push(describe(question, { ...answer, source: "answer", scope: answer.scope ?? "once" }, undefined));
  }
  return waiting;
}

type Answer = Pick<EventOf<"approval.decided">, "decision" | "source" | "scope" | "by" | "message">;

function describe(asked: Question, answer: Answer, decided: RunEvent | undefined): DecidedApproval {
  const { approvalId: id, runId: run, sessionId: session = null, tool, time } = asked;
  const { decision, source, scope, by = null, message = null } = answer;
  const at = decided === undefined ? null : new Date(decided.time).toISOString();
  return { id, run, session, tool, since: new Date(time).toISOString(), at, decision, source, scope, by, message };
}
