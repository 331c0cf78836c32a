import {
  type Approver,
  type EventDraft,
  InvalidRequestError,
  type ParentCall,
  type PermissionStore,
  type Policy,
  type RunEvent,
  type StoppedBy,
  type ToolIdentity,
} from "@bridle/protocol";
import type { AnswerSource } from "../../approvals/join-approvals.ts";
import type { CalledClocks } from "../../time/called-clock.ts";
import type { RunSpending } from "./run-spending.ts";

/** The parts of the calling run that a nested run uses. */
export interface CallingRun {
  readonly id: string;
  readonly sessionId?: string | undefined;
  readonly policy: Policy;
  readonly approver: Approver | undefined;
  readonly approvalTimeoutMs: number;
  /** Answers the questions of the run and of its nested runs, even if they have different event logs. */
  readonly approvals: AnswerSource | undefined;
  /** The remembered answers that apply to the run. New answers are stored with the outermost run. */
  readonly permissions: PermissionStore;
  /** How many levels of runs may start below the run. */
  readonly depthLeft: number;
  /** The names that the rules of the run and of its callers may contain. A project's rules may name the tools of all its agents. */
  readonly knownTools: readonly string[];
  /** Returns the run's own tool with this name, for rules about the name. */
  findOwnTool(name: string): ToolIdentity | undefined;
  readonly isRehearsed: boolean;
  readonly spending: RunSpending;
  readonly clocks: CalledClocks;
  /** Stops the run and all its callers. */
  stop(reason: string, by: StoppedBy): void;
  /** Whether the run or this call is over, so that no nested run may start. */
  isOver(callId: string): boolean;
  /** Appends an event to the caller's log. Never throws. */
  log(draft: EventDraft): void;
  /** Pauses the caller while the user is asked. The returned function resolves when the caller may continue. */
  pause(): () => Promise<void>;
  /** Registers a nested run, which the caller ends before the call and before itself. The returned function removes the run. */
  own(callId: string, run: { end(reason: unknown): void }): () => void;
}

/** A caller's call, and the run that it belongs to. */
export interface CallerCall {
  readonly caller: CallingRun;
  readonly callId: string;
}

const calls = new WeakMap<ParentCall, CallerCall>();

/** Creates the call as a tool gets it. */
export function createParentCall(caller: CallingRun, callId: string): ParentCall {
  const call = { runId: caller.id, callId, ...(caller.sessionId !== undefined && { sessionId: caller.sessionId }) };
  calls.set(call, { caller, callId });
  return call;
}

/** Returns the caller of a call. Throws InvalidRequestError for a call that no engine made, or that is over. */
export function findCallingRun(parent: ParentCall): CallerCall {
  const found = calls.get(parent);
  if (found === undefined) {
    throw new InvalidRequestError("parent is not a call of a run in this process. Pass `call` of the tool's context.");
  }
  if (found.caller.isOver(found.callId)) {
    throw new InvalidRequestError(
      `The call ${parent.callId} of the run ${parent.runId} is over, so it starts no other run.`,
    );
  }
  return found;
}

/** Copies a question of a nested run, or its answer, into the log of the caller. */
export function copyQuestion(event: RunEvent, { caller, callId }: CallerCall): void {
  if (event.type !== "approval.requested" && event.type !== "approval.decided") return;
  const { seq: _seq, time: _time, runId, sessionId, ...draft } = event;
  const nested = draft.nested ?? { runId, callId: draft.callId, ...(sessionId !== undefined && { sessionId }) };
  caller.log({ ...draft, callId, nested });
}
