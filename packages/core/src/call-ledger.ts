/**
 * The tool calls of one run, and how far each has come. Every call that was asked for gets exactly one outcome on
 * record: denied, or started and finished. The first outcome counts.
 *
 * Whoever observes an event may end the run within it, so state always changes before the event is appended.
 */
import type { ToolCall } from "./backend.ts";
import { runEnded } from "./gate-replies.ts";
import type { Journal } from "./journal.ts";
import { canonicalJson, sha256 } from "./json.ts";

export interface CallLedger {
  /** Puts a call on record under an id of its own: a host may repeat an id, or give none. */
  request(call: ToolCall, builtin: boolean): string;
  knows(callId: string): boolean;
  deny(callId: string, rule: string, output: string): void;
  /** False when the call already has its outcome and must not run. */
  start(callId: string, rule: string): boolean;
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
  allowed?: boolean;
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

  function deny(callId: string, rule: string, output: string): void {
    const call = open.get(callId);
    if (!call || call.startedAt !== undefined) return;
    settle(callId, call, true, () => {
      if (!call.allowed) journal.append({ type: "tool.evaluated", callId, decision: "deny", rule });
      journal.append({ type: "tool.denied", callId, output });
    });
  }

  function start(callId: string, rule: string): boolean {
    const call = open.get(callId);
    if (!call) return false;
    call.allowed = true;
    journal.append({ type: "tool.evaluated", callId, decision: "allow", rule });
    if (!open.has(callId)) return false;
    call.startedAt = now();
    undoing(
      () => journal.append({ type: "tool.started", callId }),
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
    for (const [callId, { startedAt }] of [...open]) {
      try {
        if (startedAt === undefined) deny(callId, "run-ended", runEnded);
        else finish(callId, { output: reason, isError: true });
      } catch (error) {
        failed(callId, error);
      }
    }
  }

  return {
    request,
    knows: (callId) => seen.has(callId),
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

function undoing(work: () => unknown, undo: () => unknown): void {
  try {
    work();
  } catch (error) {
    undo();
    throw error;
  }
}
