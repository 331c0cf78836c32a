/**
 * The tool calls of one run, and how far each has come. Every call that was asked for gets exactly one outcome on
 * record: denied, or started and finished. The first outcome counts.
 *
 * Whoever observes an event may end the run within it, so state always changes before the event is appended.
 */
import { canonicalJson, type EventDraft, type ToolCall } from "@bridle/protocol";
import type { Journal } from "../event-log/journal.ts";
import type { Verdict } from "../policy/policy-rules.ts";
import { sha256 } from "../system/hash.ts";
import { runEnded } from "./tool-replies.ts";

type Draft<K> = Omit<Extract<EventDraft, { type: K }>, "type">;
type ApprovalQuestion = Draft<"approval.requested">;
type ApprovalDecision = Omit<Draft<"approval.decided">, "approvalId" | "callId">;

export interface CallLedger {
  /** Puts a call on record under an id of its own: a host may repeat an id, or give none. */
  request(call: ToolCall, builtin: boolean): string;
  knows(callId: string): boolean;
  /** Puts on record what the rules say. `deny` writes a denial itself, and so does `start` where it is given a rule. */
  evaluate(callId: string, decision: Verdict, rule: string): void;
  /** Puts a question on record, before anybody is asked. False when the call already has its outcome. */
  ask(question: ApprovalQuestion): boolean;
  /** Puts the answer to the open question on record. False when there is none: the first answer counts. */
  answer(callId: string, decision: ApprovalDecision): boolean;
  /** `rule` is what denied, where that is not on record yet. */
  deny(callId: string, output: string, rule?: string): void;
  /** False when the call already has its outcome and must not run. `rule` is what allowed it, where that is not on record yet. */
  start(callId: string, started: { rule?: string; durable: boolean }): boolean;
  progress(callId: string, message: string): void;
  finish(callId: string, outcome: CallOutcome): void;
  /** Finishes a host's own tool, by the id that the host knows it by. */
  finishBuiltin(hostId: string, outcome: CallOutcome): void;
  /** Gives every open call its outcome. `failed` hears of those that could not be put on record. */
  settleAll(reason: string, failed: (callId: string, error: unknown) => void): void;
  /** Calls that were asked for, and those of them that were denied or failed. */
  readonly calls: number;
  readonly failures: number;
}

export interface CallOutcome {
  output: string;
  isError: boolean;
  structured?: unknown;
  artifact?: string;
}

interface OpenCall {
  hostId: string;
  builtin: boolean;
  evaluated?: Verdict;
  /** The question that waits for its answer. */
  approvalId?: string;
  startedAt?: number;
}

export function createCallLedger(journal: Pick<Journal, "append">, now: () => number): CallLedger {
  const seen = new Set<string>();
  const open = new Map<string, OpenCall>();
  let calls = 0;
  let failures = 0;

  function request({ callId: hostId, tool, input }: ToolCall, builtin: boolean): string {
    calls += 1;
    const callId = hostId !== "" && !seen.has(hostId) ? hostId : `${hostId || "call"}#${calls}`;
    seen.add(callId);
    open.set(callId, { hostId, builtin });
    const inputHash = sha256(canonicalJson(input));
    undoing(
      () => journal.append({ type: "tool.requested", callId, tool, input, inputHash }),
      () => open.delete(callId),
    );
    return callId;
  }

  function evaluate(callId: string, decision: Verdict, rule: string): void {
    const call = open.get(callId);
    if (call) writeEvaluated(callId, call, decision, rule);
  }

  function writeEvaluated(callId: string, call: OpenCall, decision: Verdict, rule: string): void {
    const before = call.evaluated;
    call.evaluated = decision;
    undoing(
      () => journal.append({ type: "tool.evaluated", callId, decision, rule }),
      () => setOrDelete(call, "evaluated", before),
    );
  }

  function ask(question: ApprovalQuestion): boolean {
    const call = open.get(question.callId);
    if (!call) return false;
    call.approvalId = question.approvalId;
    undoing(
      () => journal.append({ type: "approval.requested", ...question }, { durable: true }),
      () => delete call.approvalId,
    );
    return open.has(question.callId);
  }

  function answer(callId: string, decision: ApprovalDecision): boolean {
    const call = open.get(callId);
    if (call?.approvalId === undefined) return false;
    writeAnswer(callId, call, decision);
    return open.has(callId);
  }

  function writeAnswer(callId: string, call: OpenCall, decision: ApprovalDecision): void {
    const { approvalId } = call;
    if (approvalId === undefined) return;
    delete call.approvalId;
    undoing(
      () => journal.append({ type: "approval.decided", approvalId, callId, ...decision }, { durable: true }),
      () => setOrDelete(call, "approvalId", approvalId),
    );
  }

  function deny(callId: string, output: string, rule?: string): void {
    const call = open.get(callId);
    if (!call || call.startedAt !== undefined) return;
    settle(callId, call, true, () => {
      writeAnswer(callId, call, { decision: "deny", source: "run-ended", scope: "once" });
      if (rule !== undefined && call.evaluated !== "deny") writeEvaluated(callId, call, "deny", rule);
      journal.append({ type: "tool.denied", callId, output });
    });
  }

  function start(callId: string, { rule, durable }: { rule?: string; durable: boolean }): boolean {
    const call = open.get(callId);
    if (!call) return false;
    if (rule !== undefined) writeEvaluated(callId, call, "allow", rule);
    if (!open.has(callId)) return false;
    call.startedAt = now();
    undoing(
      () => journal.append({ type: "tool.started", callId }, { durable }),
      () => delete call.startedAt,
    );
    return open.has(callId);
  }

  function finish(callId: string, { output, isError, structured, artifact }: CallOutcome): void {
    const call = open.get(callId);
    if (call?.startedAt === undefined) return;
    const durationMs = now() - call.startedAt;
    const beside = { ...(structured === undefined ? {} : { structured }), ...(artifact ? { artifact } : {}) };
    settle(callId, call, isError, () =>
      journal.append({ type: "tool.finished", callId, ok: !isError, durationMs, output, ...beside }),
    );
  }

  /** An outcome that could not be written leaves the call open, for `settleAll` to try once more. */
  function settle(callId: string, call: OpenCall, isError: boolean, write: () => void): void {
    open.delete(callId);
    undoing(write, () => open.set(callId, call));
    if (isError) failures += 1;
  }

  function finishBuiltin(hostId: string, outcome: CallOutcome): void {
    const found = [...open].find(([callId, call]) => call.builtin && (callId === hostId || call.hostId === hostId));
    if (found) finish(found[0], outcome);
  }

  function settleAll(reason: string, failed: (callId: string, error: unknown) => void): void {
    const settle = (callId: string, { startedAt, evaluated }: OpenCall) => {
      if (startedAt !== undefined) finish(callId, { output: reason, isError: true });
      else deny(callId, runEnded, evaluated === undefined ? "run-ended" : undefined);
    };
    forEachOf(open, settle, () => {}); // a record that failed once may take it the second time
    forEachOf(open, settle, failed);
  }

  return {
    request,
    knows: (callId) => seen.has(callId),
    evaluate,
    ask,
    answer,
    deny,
    start,
    progress(callId, message) {
      if (open.get(callId)?.startedAt !== undefined) journal.append({ type: "tool.progress", callId, message });
    },
    finish,
    finishBuiltin,
    settleAll,
    get calls() {
      return calls;
    },
    get failures() {
      return failures;
    },
  };
}

/** Does the work for each, whatever it throws. */
function forEachOf<T>(
  map: ReadonlyMap<string, T>,
  work: (key: string, value: T) => void,
  failed: (key: string, error: unknown) => void,
): void {
  for (const [key, value] of [...map]) {
    try {
      work(key, value);
    } catch (error) {
      failed(key, error);
    }
  }
}

function undoing(work: () => unknown, undo: () => unknown): void {
  try {
    work();
  } catch (error) {
    undo();
    throw error;
  }
}

function setOrDelete<T extends object, K extends keyof T>(holder: T, key: K, value: T[K] | undefined): void {
  if (value === undefined) delete holder[key];
  else holder[key] = value;
}
