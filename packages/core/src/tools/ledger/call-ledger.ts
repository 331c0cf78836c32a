import {
  canonicalJson,
  type EventDraft,
  type Excerpt,
  type ImagePart,
  omitUndefined,
  type ToolCall,
} from "@bridle/protocol";
import type { JournalWriter } from "../../event-log/journal.ts";
import type { Decision } from "../../policy/policy-rules.ts";
import { sha256 } from "../../system/hash.ts";
import { runEnded } from "../tool-replies.ts";
import { forEachOf, setOrDelete, undoing } from "./undoing.ts";

type Draft<K> = Omit<Extract<EventDraft, { type: K }>, "type">;
type ApprovalQuestion = Draft<"approval.requested">;
type ApprovalDecision = Omit<Draft<"approval.decided">, "approvalId" | "callId">;

export interface CallOutcome {
  output: string;
  isError: boolean;
  images?: readonly ImagePart[] | undefined;
  structured?: unknown;
  artifact?: string | undefined;
  /** The parts of a longer string that the output shows. */
  excerpts?: readonly Excerpt[] | undefined;
}

/** A call, with the block of the response that it is in. */
export type RequestedCall = ToolCall & { readonly block?: string | undefined };

/** The values that the rules check besides the name of the tool. The input is missing if it is the same as requested. */
type JudgedCall = Pick<Draft<"tool.evaluated">, "annotations" | "input">;

interface OpenCall {
  hostId: string;
  builtin: boolean;
  /** The checked values, which are logged with the first decision. */
  judged?: JudgedCall;
  evaluated?: Decision;
  /** The question that waits for its answer. */
  approvalId?: string;
  startedAt?: number;
  /** Aborted when the call is over. */
  readonly over: AbortController;
}

/**
 * The tool calls of one run and the state of each. Every requested call gets exactly one outcome in the event log:
 * denied, or started and finished. The first outcome counts.
 *
 * A listener may end the run while it handles an event, so state always changes before the event is appended.
 */
export class CallLedger {
  readonly #journal: Pick<JournalWriter, "append">;
  readonly #now: () => number;
  readonly #seen = new Set<string>();
  readonly #open = new Map<string, OpenCall>();
  #calls = 0;
  #failures = 0;

  constructor(journal: Pick<JournalWriter, "append">, now: () => number) {
    this.#journal = journal;
    this.#now = now;
  }

  /** The number of requested calls. */
  get calls(): number {
    return this.#calls;
  }

  /** The number of calls that were denied or failed. */
  get failures(): number {
    return this.#failures;
  }

  /** Whether the call has no outcome yet. */
  isOpen(callId: string): boolean {
    return this.#open.has(callId);
  }

  /** Returns a signal that is aborted when the call has its outcome, or is left without one. */
  signalOf(callId: string): AbortSignal {
    return this.#open.get(callId)?.over.signal ?? AbortSignal.abort();
  }

  knows(callId: string): boolean {
    return this.#seen.has(callId);
  }

  /** Logs a call under a new id, because a host may repeat an id or send none. Returns the new id. */
  request({ callId: hostId, tool, input, block }: RequestedCall, builtin: boolean): string {
    this.#calls += 1;
    const callId = hostId !== "" && !this.#seen.has(hostId) ? hostId : `${hostId || "call"}#${this.#calls}`;
    this.#seen.add(callId);
    this.#open.set(callId, { hostId, builtin, over: new AbortController() });
    const inputHash = sha256(canonicalJson(input));
    undoing(
      () =>
        this.#journal.append({ type: "tool.requested", callId, tool, input, inputHash, ...omitUndefined({ block }) }),
      () => this.#open.delete(callId),
    );
    return callId;
  }

  /** Stores the values that the rules will check, so that they are logged with the decision. */
  judge(callId: string, judged: JudgedCall): void {
    const call = this.#open.get(callId);
    if (call) call.judged = judged;
  }

  /** Logs the decision of the rules. Not needed before `deny` or `start` with a rule, which log the decision themselves. */
  evaluate(callId: string, decision: Decision, rule: string): void {
    const call = this.#open.get(callId);
    if (call) this.#logDecision(callId, call, decision, rule);
  }

  /** Logs a question before anyone is asked. Returns false if the call already has its outcome. */
  ask(question: ApprovalQuestion): boolean {
    const call = this.#open.get(question.callId);
    if (!call) return false;
    call.approvalId = question.approvalId;
    undoing(
      () => this.#journal.append({ type: "approval.requested", ...question }),
      () => delete call.approvalId,
    );
    return this.#open.has(question.callId);
  }

  /** Logs the answer to the open question. Returns false without an open question, because the first answer counts. */
  answer(callId: string, decision: ApprovalDecision): boolean {
    const call = this.#open.get(callId);
    if (call?.approvalId === undefined) return false;
    this.#logAnswer(callId, call, decision);
    return this.#open.has(callId);
  }

  /** Denies a call. `rule` names the rule that denied the call, if the log does not have it yet. */
  deny(callId: string, output: string, rule?: string): void {
    const call = this.#open.get(callId);
    if (!call || call.startedAt !== undefined) return;
    this.#settle(callId, call, true, () => {
      if (rule !== undefined && call.evaluated !== "deny") this.#logDecision(callId, call, "deny", rule);
      this.#journal.append({ type: "tool.denied", callId, output });
    });
  }

  /**
   * Starts a call. Returns false if the call already has its outcome and must not run. `rule` names the rule that allowed the call, if the
   * log does not have it yet.
   */
  start(callId: string, rule?: string): boolean {
    const call = this.#open.get(callId);
    if (!call) return false;
    if (rule !== undefined) this.#logDecision(callId, call, "allow", rule);
    if (!this.#open.has(callId)) return false;
    call.startedAt = this.#now();
    undoing(
      () => this.#journal.append({ type: "tool.started", callId }),
      () => delete call.startedAt,
    );
    return this.#open.has(callId);
  }

  progress(callId: string, message: string): void {
    if (this.#open.get(callId)?.startedAt === undefined) return;
    this.#journal.append({ type: "tool.progress", callId, message });
  }

  finish(callId: string, { output, isError, images, structured, artifact, excerpts }: CallOutcome): void {
    const call = this.#open.get(callId);
    if (call?.startedAt === undefined) return;
    const durationMs = this.#now() - call.startedAt;
    const optional = omitUndefined({ images, structured, artifact });
    this.#settle(callId, call, isError, () =>
      this.#journal.append(
        { type: "tool.finished", callId, ok: !isError, durationMs, output, ...optional },
        omitUndefined({ excerpts }),
      ),
    );
  }

  /** Finishes a host's own tool, by the id that the host uses. */
  finishHostTool(hostId: string, outcome: CallOutcome): void {
    const found = [...this.#open].find(
      ([callId, call]) => call.builtin && (callId === hostId || call.hostId === hostId),
    );
    if (found) this.finish(found[0], outcome);
  }

  /** Leaves the calls that wait for an answer without an outcome, as if the process had died. Calls that already run are not affected. */
  leaveQuestions(): void {
    for (const [callId, { approvalId, startedAt, over }] of this.#open) {
      if (approvalId === undefined || startedAt !== undefined) continue;
      this.#open.delete(callId);
      over.abort();
    }
  }

  /** Gives every open call its outcome. `failed` receives the calls with an outcome that could not be written. */
  settleAll(reason: string, failed: (callId: string, error: unknown) => void): void {
    const settle = (callId: string, { startedAt, evaluated }: OpenCall) => {
      if (startedAt !== undefined) this.finish(callId, { output: reason, isError: true });
      else this.deny(callId, runEnded, evaluated === undefined ? "run-ended" : undefined);
    };
    forEachOf(this.#open, settle, () => {}); // a log that failed once may work at the second attempt
    forEachOf(this.#open, settle, failed);
  }

  #logDecision(callId: string, call: OpenCall, decision: Decision, rule: string): void {
    const before = call.evaluated;
    const judged = before === undefined ? call.judged : undefined;
    call.evaluated = decision;
    undoing(
      () => this.#journal.append({ type: "tool.evaluated", callId, decision, rule, ...judged }),
      () => setOrDelete(call, "evaluated", before),
    );
  }

  #logAnswer(callId: string, call: OpenCall, decision: ApprovalDecision): void {
    const { approvalId } = call;
    if (approvalId === undefined) return;
    delete call.approvalId;
    undoing(
      () => this.#journal.append({ type: "approval.decided", approvalId, callId, ...decision }),
      () => setOrDelete(call, "approvalId", approvalId),
    );
  }

  /** Closes the question of the call first. An outcome that could not be written leaves the call open: `settleAll` tries again. */
  #settle(callId: string, call: OpenCall, isError: boolean, write: () => void): void {
    this.#open.delete(callId);
    call.over.abort();
    const writeAll = () => {
      this.#logAnswer(callId, call, { decision: "deny", source: "run-ended", scope: "once" });
      write();
    };
    undoing(writeAll, () => this.#open.set(callId, call));
    if (isError) this.#failures += 1;
  }
}
