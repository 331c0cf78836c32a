/** Questions to the user about a tool call, and the answers. */
import { z } from "zod";
import { InvalidRequestError } from "../errors/errors.ts";
import { approvalDecisions, approvalScopes } from "../events/approval-events.ts";
import type { EventDraft, EventOf, RunEvent } from "../events/events.ts";
import type { RememberedAnswer } from "./permissions.ts";

export type ApprovalDetails = Omit<Extract<EventDraft, { type: "approval.requested" }>, "type" | "approvalId">;

/** A call that waits for an answer, with the fields of `approval.requested`. */
export interface Approval extends ApprovalDetails {
  readonly id: string;
  readonly runId: string;
  /** The session of the run, if it has one. */
  readonly sessionId?: string;
}

export const approvalAnswerSchema = z.strictObject({
  /** `deny` ends the call, `deny-and-stop` the run. */
  decision: z.enum(approvalDecisions),
  /** How long the answer applies to further calls to the tool. Default: `once`. */
  scope: z.enum(approvalScopes).optional(),
  /** Limits a remembered answer to some inputs: fields to regular expressions. */
  when: z.record(z.string(), z.string()).optional(),
  /** A message to the model. */
  message: z.string().optional(),
  /** Runs the call with this input instead. It is validated like the model's input. */
  input: z.unknown().optional(),
  /** The hash of the input that the user saw. If the call has another input, it is denied. */
  inputHash: z.string().optional(),
  /** The name of whoever answers. */
  by: z.string().optional(),
});
export type ApprovalAnswer = z.infer<typeof approvalAnswerSchema>;

/**
 * Parses an answer.
 *
 * @throws InvalidRequestError if it is malformed.
 */
export function parseAnswer(given: unknown): ApprovalAnswer {
  const parsed = approvalAnswerSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new InvalidRequestError(`The answer is not valid: ${issue?.path.join(".")}: ${issue?.message}. Correct it.`);
}

/**
 * Asks the user and returns the answer.
 *
 * Contract: settle when `signal` is aborted, because the answer is no longer needed. If the function rejects, or the answer is malformed or
 * late, the call is denied. The call waits for the answer, and the run's time limit is paused. Further questions of the run may come before
 * this one is settled.
 *
 * @example
 * const approve: Approver = async ({ tool, preview }) =>
 *   (await confirm(`Run ${tool}? ${preview ?? ""}`)) ? { decision: "allow" } : { decision: "deny", message: "Not now." };
 */
export type Approver = (approval: Approval, signal: AbortSignal) => ApprovalAnswer | Promise<ApprovalAnswer>;

/** Lists the questions that have no answer in the events. After a crash they are still open. Pure. */
export function pendingApprovals(events: Iterable<RunEvent>): Approval[] {
  return pendingQuestions(events).map(toApproval);
}

export type Question = EventOf<"approval.requested">;

/**
 * Lists the events of the questions without an answer. Leaves out the questions of nested runs, which are in the logs of those runs. Pure.
 */
export function pendingQuestions(events: Iterable<RunEvent>): Question[] {
  return findPending(events, ({ nested }) => nested === undefined);
}

/** Lists the copies of nested runs' questions that have no answer in the caller's log. Pure. */
export function pendingCopies(events: Iterable<RunEvent>): Question[] {
  return findPending(events, ({ nested }) => nested !== undefined);
}

/** Lists the answers that apply to their whole session. Pure. */
export function sessionAnswers(events: Iterable<RunEvent>): RememberedAnswer[] {
  const questions = new Map<string, Question>();
  const answers: RememberedAnswer[] = [];
  for (const event of events) {
    if (event.type === "approval.requested") questions.set(event.approvalId, event);
    const asked = event.type === "approval.decided" ? questions.get(event.approvalId) : undefined;
    if (event.type !== "approval.decided" || asked === undefined || event.source !== "answer") continue;
    if (event.scope === "session") answers.push(toRemembered(asked, event, "session", event.time));
  }
  return answers;
}

/** Converts an answer to the form that is remembered. `time` is in milliseconds since the epoch. */
export function toRemembered(
  { tool, identity }: Pick<RememberedAnswer, "tool" | "identity">,
  { decision, when, by }: Pick<ApprovalAnswer, "decision" | "when" | "by">,
  scope: RememberedAnswer["scope"],
  time: number,
): RememberedAnswer {
  return {
    tool,
    ...(identity && { identity }),
    ...(when && { when }),
    decision: decision === "allow" ? "allow" : "deny",
    scope,
    by: by ?? "the program",
    at: new Date(time).toISOString(),
  };
}

/** Converts a question to the form that an approver receives. Pure. */
export function toApproval(event: Question): Approval {
  const { type: _type, seq: _seq, time: _time, approvalId, ...rest } = event;
  return { id: approvalId, ...rest };
}

/**
 * Finds questions without an answer. An answer counts in whichever run it is logged, because the run that asked may have died before it
 * could log the answer.
 */
function findPending(events: Iterable<RunEvent>, isWanted: (question: Question) => boolean): Question[] {
  const pending = new Map<string, Question>();
  const decided = new Set<string>();
  for (const event of events) {
    if (event.type === "approval.requested" && isWanted(event) && !decided.has(event.approvalId))
      pending.set(event.approvalId, event);
    if (event.type === "tool.denied") forget(pending, event);
    if (event.type !== "approval.decided") continue;
    decided.add(event.approvalId);
    pending.delete(event.approvalId);
  }
  return [...pending.values()];
}

function forget(pending: Map<string, Question>, { runId, callId }: EventOf<"tool.denied">): void {
  for (const [id, approval] of pending) {
    if (approval.runId === runId && approval.callId === callId) pending.delete(id);
  }
}
