import type { EventDraft, Excerpt } from "@bridle/protocol";
import { redactExcerpts } from "./excerpts.ts";
import { Passage } from "./passage.ts";
import type { Redactor, ReplacesCredentials } from "./redactor.ts";

/** Redacts one event. `excerpts` are the parts of a longer text that the output of a call shows. */
export type RedactsEvents = (runId: string, draft: EventDraft, excerpts?: readonly Excerpt[]) => EventDraft;

/**
 * Creates the function that redacts credentials in the events of one writer before they are stored. It returns the same event if nothing
 * changes. Deltas are joined, so a credential in pieces is found as soon as enough of it has arrived.
 */
export function createEventRedaction(redactor: Redactor): RedactsEvents {
  const streamed = new Map<string, Passage>();

  function redactDelta(key: string, text: string): string {
    const passage = streamed.get(key) ?? new Passage(redactor);
    streamed.set(key, passage);
    return passage.add(text);
  }

  function forget(runId: string): void {
    for (const key of streamed.keys()) if (key.startsWith(`${runId} `)) streamed.delete(key);
  }

  return (runId, draft, excerpts = []) => {
    switch (draft.type) {
      case "text.delta":
      case "reasoning.delta": {
        const text = redactDelta(`${runId} ${draft.type}`, draft.text);
        return text === draft.text ? draft : { ...draft, text };
      }
      case "input.delta": {
        const text = redactDelta(`${runId} ${draft.type} ${draft.block}`, draft.text);
        return { ...redactFields({ ...draft, text: "" }, redactor), text };
      }
      case "text.completed":
      case "reasoning.completed":
        streamed.delete(`${runId} ${draft.type.replace("completed", "delta")}`);
        return redactFields(draft, redactor);
      case "retry.scheduled":
        forget(runId);
        return redactFields(draft, redactor);
      case "run.finished":
        forget(runId);
        return redactEnd(draft, redactor);
      case "tool.requested":
        streamed.delete(`${runId} input.delta ${draft.block}`);
        return redactFields(draft, redactor);
      case "tool.finished":
        return redactOutput(draft, excerpts, redactor);
      default:
        return redactFields(draft, redactor);
    }
  };
}

/** Names and hashes that events use to refer to each other and to artifacts; they are never credentials. */
const references: ReadonlySet<string> = new Set([
  "type",
  "callId",
  "approvalId",
  "block",
  "inputHash",
  "sha256",
  "artifact",
  "policy",
  "parentRunId",
  "parentCallId",
  "parentSessionId",
  "nested",
  "nestedRunId",
  "nestedSessionId",
]);

/**
 * The fields that the user approves and the audit trail shows. Only known credentials are replaced in them, because a pattern could hide a
 * part of the code that runs.
 */
const decidedFields: Readonly<Record<string, ReadonlySet<string>>> = {
  "tool.requested": new Set(["tool", "input"]),
  "tool.evaluated": new Set(["input"]),
  "approval.requested": new Set(["tool", "input", "rule", "reason", "preview", "problem"]),
  "approval.decided": new Set(["input", "when", "rule"]),
};

function redactFields<D extends object & { readonly type?: string }>(draft: D, redactor: Redactor): D {
  const decided = decidedFields[draft.type ?? ""];
  const changed = Object.entries(draft).flatMap(([key, value]) => {
    if (references.has(key)) return [];
    const clean = chooseReplacement(redactor, decided?.has(key)).value(value);
    return clean === value ? [] : [[key, clean]];
  });
  return changed.length === 0 ? draft : { ...draft, ...Object.fromEntries(changed) };
}

function chooseReplacement(redactor: Redactor, isDecided = false): ReplacesCredentials {
  return isDecided ? (redactor.known ?? redactor) : redactor;
}

type FinishedCall = Extract<EventDraft, { type: "tool.finished" }>;

function redactOutput(draft: FinishedCall, excerpts: readonly Excerpt[], redactor: Redactor): FinishedCall {
  const clean = redactFields(draft, redactor);
  const output = excerpts.length === 0 ? clean.output : redactExcerpts(draft.output, excerpts, redactor);
  return output === clean.output ? clean : { ...clean, output };
}

/** Redacts the end of a run. An error without credentials stays the same object; an error with credentials becomes a redacted report. */
function redactEnd(draft: Extract<EventDraft, { type: "run.finished" }>, redactor: Redactor): EventDraft {
  const { stopReason, error, ...rest } = draft.result;
  const clean = redactFields(rest, redactor);
  if (error === undefined) return clean === rest ? draft : { ...draft, result: { stopReason, ...clean } };
  const { name, code, message, retryable } = error;
  const report = redactFields({ ...error, name, code, message, retryable }, redactor);
  const isClean = clean === rest && report.message === message && sameFields(report, error);
  return isClean ? draft : { ...draft, result: { stopReason, ...clean, error: report } };
}

function sameFields(report: object, error: object): boolean {
  return Object.entries(error).every(([key, value]) => Reflect.get(report, key) === value);
}
