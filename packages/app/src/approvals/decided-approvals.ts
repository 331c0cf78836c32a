import { approvalEvents, type EventLog, type EventOf, type RunEvent } from "@bridle/protocol";
import { z } from "zod";

const decided = approvalEvents["approval.decided"].shape;

/** A question with its answer. */
export const decidedApprovalSchema = z.strictObject({
  id: z.string(),
  run: z.string(),
  session: z.string().nullable(),
  tool: z.string(),
  /** When it was asked and answered. */
  since: z.iso.datetime(),
  at: z.iso.datetime(),
  decision: decided.decision,
  source: decided.source,
  scope: decided.scope,
  by: z.string().nullable(),
  message: z.string().nullable(),
});
export type DecidedApproval = z.output<typeof decidedApprovalSchema>;

/** Sessions that are searched for answers. */
const searchedSessions = 20;
/** Events of each that are searched, from its end. */
const searchedEvents = 1000;

/** Lists the newest answers, the newest first. Looks at the newest sessions only, and at their newest events. */
export async function listDecidedApprovals(
  eventLog: Pick<EventLog, "sessions" | "read">,
  most: number,
): Promise<DecidedApproval[]> {
  const found: DecidedApproval[] = [];
  for (const { sessionId } of await eventLog.sessions({ last: searchedSessions })) {
    const events = await eventLog.read({ sessionId, last: searchedEvents, withoutDeltas: true });
    found.push(...decisionsIn(events));
  }
  return found.sort((a, b) => (a.at < b.at ? 1 : -1)).slice(0, most);
}

/** Answers to questions in the same events. Those of nested runs are in the logs of these runs. Pure. */
function decisionsIn(events: Iterable<RunEvent>): DecidedApproval[] {
  const questions = new Map<string, EventOf<"approval.requested">>();
  const decisions: DecidedApproval[] = [];
  for (const event of events) {
    if (event.type === "approval.requested" && !event.nested) questions.set(event.approvalId, event);
    const asked = event.type === "approval.decided" ? questions.get(event.approvalId) : undefined;
    if (event.type === "approval.decided" && asked) decisions.push(describe(asked, event));
  }
  return decisions;
}

function describe(asked: EventOf<"approval.requested">, answer: EventOf<"approval.decided">): DecidedApproval {
  const { approvalId: id, runId: run, sessionId: session = null, tool } = asked;
  const { decision, source, scope, by = null, message = null } = answer;
  const [since, at] = [asked.time, answer.time].map((time) => new Date(time).toISOString());
  return { id, run, session, tool, since: since ?? "", at: at ?? "", decision, source, scope, by, message };
}
