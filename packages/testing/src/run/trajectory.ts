/** The trajectory of an agent's run, computed from its events. Pure. */
import {
  addCost,
  addUsage,
  buildTranscript,
  messageText,
  omitUndefined,
  type RunEvent,
  type RunResult,
  type ToolEntry,
  type TranscriptEntry,
} from "@bridle/protocol";
import type { Call, CallEntry } from "../result/call.ts";

export interface Trajectory {
  readonly transcript: readonly CallEntry[];
  readonly calls: readonly Call[];
  /** Artifacts with the whole output of calls whose output was shortened for the model, by the call's id. */
  readonly artifacts: ReadonlyMap<string, string>;
  /**
   * Milliseconds from the first request to the end, without the time in the queue and the time until a usage window opens, so that the
   * duration does not depend on other runs.
   */
  readonly durationMs: number;
  /** The result with its text redacted, as in the event log. Its figures include those of the runs that it started. */
  readonly result: RunResult;
}

export function readTrajectory(events: readonly RunEvent[], result: RunResult): Trajectory {
  const facts = callFactsOf(events);
  const transcript = buildTranscript(events).entries.flatMap((entry) => toEntry(entry, facts));
  const calls = transcript.filter((entry) => entry.kind === "call");
  return {
    transcript,
    calls,
    artifacts: artifactsOf(events),
    durationMs: durationOf(events),
    result: withNested(asOnRecord(result, events)),
  };
}

function asOnRecord(result: RunResult, events: readonly RunEvent[]): RunResult {
  const end = events.findLast((event) => event.type === "run.finished");
  if (end?.type !== "run.finished") return result;
  const { text, object } = end.result;
  return { ...result, text, ...(object !== undefined && { object }) };
}

function withNested(result: RunResult): RunResult {
  const { nested, cost, ...own } = result;
  if (nested === undefined) return result;
  return {
    ...own,
    nested,
    steps: own.steps + nested.steps,
    usage: addUsage(own.usage, nested.usage),
    ...omitUndefined({ cost: addCost(cost, nested.cost) }),
  };
}

/** Facts about a call that a transcript leaves out. */
interface CallFacts {
  rule?: string;
  structured?: unknown;
}

function callFactsOf(events: readonly RunEvent[]): ReadonlyMap<string, CallFacts> {
  const found = new Map<string, CallFacts>();
  const add = (callId: string, facts: CallFacts) => found.set(callId, { ...found.get(callId), ...facts });
  for (const event of events) {
    if (event.type === "tool.evaluated") add(event.callId, { rule: event.rule });
    if (event.type === "tool.finished" && event.structured !== undefined) {
      add(event.callId, { structured: event.structured });
    }
  }
  return found;
}

function artifactsOf(events: readonly RunEvent[]): ReadonlyMap<string, string> {
  return new Map(
    events.flatMap((event) =>
      event.type === "tool.finished" && event.artifact !== undefined ? [[event.callId, event.artifact] as const] : [],
    ),
  );
}

const states: Readonly<Record<ToolEntry["state"], Call["state"]>> = {
  succeeded: "succeeded",
  failed: "failed",
  denied: "denied",
  requested: "unfinished",
  waiting: "unfinished",
  running: "unfinished",
};

function toEntry(entry: TranscriptEntry, facts: ReadonlyMap<string, CallFacts>): CallEntry[] {
  switch (entry.kind) {
    case "user":
      return [toUserEntry(entry)];
    case "text":
    case "reasoning":
      return [{ kind: entry.kind, text: entry.text }];
    case "tool": {
      const { callId, tool, step, state, output = null, durationMs = null } = entry;
      const { rule = null, structured } = facts.get(callId) ?? {};
      const input = entry.edited ?? entry.input;
      const beside = structured === undefined ? {} : { structured };
      return [{ kind: "call", callId, tool, input, state: states[state], output, ...beside, rule, step, durationMs }];
    }
    case "history":
      return [];
  }
}

function toUserEntry({ message }: Extract<TranscriptEntry, { kind: "user" }>): CallEntry {
  const { role, content } = message;
  if (typeof content === "string") return { kind: "user", text: content, attachments: [] };
  const attachments = content.flatMap((part) => {
    if (part.type === "file") return [part.name ?? part.mediaType];
    return part.type === "image" ? [part.mediaType] : [];
  });
  return { kind: "user", text: messageText({ role, content }), attachments };
}

function durationOf(events: readonly RunEvent[]): number {
  const from = events.find(({ type }) => type === "model.input")?.time;
  const to = events.findLast(({ type }) => type === "run.finished")?.time;
  if (from === undefined || to === undefined) return 0;
  return Math.max(0, to - from - waitedWithin(events, from));
}

/** Sums the waiting times. A wait begins with an event, may have further ones, and ends with `limit.cleared` or with the run. */
function waitedWithin(events: readonly RunEvent[], from: number): number {
  let since: number | undefined;
  let waited = 0;
  for (const { type, time } of events) {
    if (time < from) continue;
    if (type === "limit.waiting") since ??= time;
    if (since !== undefined && (type === "limit.cleared" || type === "run.finished")) {
      waited += time - since;
      since = undefined;
    }
  }
  return waited;
}
