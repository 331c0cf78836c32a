/** Questions to a person about a call, and their answers. */
import { z } from "zod";
import { InvalidRequestError } from "../errors/errors.ts";
import { approvalDecisions, approvalScopes } from "../events/approval-events.ts";
import type { EventDraft, EventOf, RunEvent } from "../events/events.ts";
import type { RememberedAnswer } from "./permissions.ts";

type Asked = Omit<Extract<EventDraft, { type: "approval.requested" }>, "type" | "approvalId">;

/** A call that waits for an answer; the fields are those of `approval.requested`. */
export interface Approval extends Asked {
  readonly id: string;
  readonly runId: string;
}

export const approvalAnswerSchema = z.strictObject({
  /** `deny` ends the call, `deny-and-stop` the run. */
  decision: z.enum(approvalDecisions),
  /** How long it holds for calls of the same tool. Default `once`. */
  scope: z.enum(approvalScopes).optional(),
  /** Only for inputs like this, where the answer holds for more than once. */
  when: z.record(z.string(), z.string()).optional(),
  /** Told to the model. */
  message: z.string().optional(),
  /** Runs the call with this input instead. It is checked like the model's. */
  input: z.unknown().optional(),
  /** The hash of the input that was answered for; an answer for another input denies. */
  inputHash: z.string().optional(),
  /** Who answers. */
  by: z.string().optional(),
});
export type ApprovalAnswer = z.infer<typeof approvalAnswerSchema>;

/** Throws InvalidRequestError for what is not an answer. */
export function parseAnswer(given: unknown): ApprovalAnswer {
  const parsed = approvalAnswerSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new InvalidRequestError(`The answer has no meaning: ${issue?.path.join(".")}: ${issue?.message}. Correct it.`);
}

/**
 * Answers for a person.
 *
 * Contract: settle when `signal` is aborted: the answer is not needed any more. A rejection, an answer of another form
 * and one that comes too late deny the call. The call waits meanwhile, the run's time does not count, and further
 * questions of the run may come before this one is settled.
 */
export type Approver = (approval: Approval, signal: AbortSignal) => ApprovalAnswer | Promise<ApprovalAnswer>;

/** The questions that have no answer on record: after a crash these are still open. Pure. */
export function pendingApprovals(events: Iterable<RunEvent>): Approval[] {
  return pendingQuestions(events).map(toApproval);
}

export type Question = EventOf<"approval.requested">;

/** The same, as they are on record. Pure. */
export function pendingQuestions(events: Iterable<RunEvent>): Question[] {
  const pending = new Map<string, Question>();
  for (const event of events) {
    if (event.type === "approval.requested") pending.set(event.approvalId, event);
    if (event.type === "approval.decided") pending.delete(event.approvalId);
    if (event.type === "tool.denied") forget(pending, event);
  }
  return [...pending.values()];
}

/** The answers on record that hold for their session. Pure. */
export function sessionAnswers(events: Iterable<RunEvent>): RememberedAnswer[] {
  const questions = new Map<string, Question>();
  const answers: RememberedAnswer[] = [];
  for (const event of events) {
    if (event.type === "approval.requested") questions.set(event.approvalId, event);
    const asked = event.type === "approval.decided" ? questions.get(event.approvalId) : undefined;
    if (event.type !== "approval.decided" || asked === undefined || event.source !== "answer") continue;
    if (event.scope === "session") answers.push(toRemembered(asked.tool, event, "session", event.time));
  }
  return answers;
}

/** What is remembered of an answer; `time` is in milliseconds since the epoch. */
export function toRemembered(
  tool: string,
  { decision, when, by }: Pick<ApprovalAnswer, "decision" | "when" | "by">,
  scope: RememberedAnswer["scope"],
  time: number,
): RememberedAnswer {
  return {
    tool,
    ...(when && { when }),
    decision: decision === "allow" ? "allow" : "deny",
    scope,
    by: by ?? "the program",
    at: new Date(time).toISOString(),
  };
}

export function toApproval(event: Question): Approval {
  const { type: _type, seq: _seq, time: _time, sessionId: _sessionId, approvalId, ...rest } = event;
  return { id: approvalId, ...rest };
}

function forget(pending: Map<string, Question>, { runId, callId }: EventOf<"tool.denied">): void {
  for (const [id, approval] of pending) {
    if (approval.runId === runId && approval.callId === callId) pending.delete(id);
  }
}
