import type { EventDraft } from "@bridle/protocol";
import type { Redactor } from "./redactor.ts";

/**
 * Redacts credentials in events before they are stored; for one writer of an event log. Returns the same event if nothing
 * changes. Deltas are joined, so a credential in pieces is found as soon as enough of it has arrived.
 */
export function createEventRedaction(redactor: Redactor): (runId: string, draft: EventDraft) => EventDraft {
  const streamed = new Map<string, Passage>();

  function redactDelta(key: string, text: string): string {
    const passage = streamed.get(key) ?? createPassage(redactor);
    streamed.set(key, passage);
    return passage(text);
  }

  function forget(runId: string): void {
    for (const kind of ["text", "reasoning"]) streamed.delete(`${runId} ${kind}.delta`);
  }

  return (runId, draft) => {
    switch (draft.type) {
      case "text.delta":
      case "reasoning.delta": {
        const text = redactDelta(`${runId} ${draft.type}`, draft.text);
        return text === draft.text ? draft : { ...draft, text };
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
      default:
        return redactFields(draft, redactor);
    }
  };
}

/** Names and hashes by which events refer to each other and to artifacts; they are never credentials. */
const references: ReadonlySet<string> = new Set(["type", "callId", "inputHash", "sha256", "artifact", "policy"]);

function redactFields<D extends object>(draft: D, redactor: Redactor): D {
  const changed = Object.entries(draft).flatMap(([key, value]) => {
    if (references.has(key)) return [];
    const clean = redactor.value(value);
    return clean === value ? [] : [[key, clean]];
  });
  return changed.length === 0 ? draft : { ...draft, ...Object.fromEntries(changed) };
}

/** An error without credentials stays the same object; any other becomes a redacted report. */
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

type Passage = (piece: string) => string;

/** The number of characters before a piece that are searched together with it. */
const longestCredential = 8192;

/** Holds back text that may be the beginning of a credential until that is certain. If no text follows, it is dropped. */
function createPassage(redactor: Redactor): Passage {
  let before = "";
  let held = 0;
  return (piece) => {
    const earlier = before.slice(0, before.length - held);
    const text = before + piece;
    const begun = redactor.begun?.(text) ?? 0;
    held = Math.min(begun, text.length - earlier.length);
    const ready = text.slice(0, text.length - held);
    before = lastWords(text, begun);
    const whole = redactor.text(ready);
    return whole === ready ? ready.slice(earlier.length) : whole.slice(commonStart(redactor.text(earlier), whole));
  };
}

/** The length of the common beginning of two texts. */
function commonStart(a: string, b: string): number {
  if (b.startsWith(a)) return a.length;
  let at = 0;
  while (a[at] === b[at]) at += 1;
  return at;
}

/** The end of a text in which a credential may continue: its last words, an open block, or another form that has begun. */
function lastWords(text: string, begun: number): string {
  const block = text.lastIndexOf("-----BEGIN");
  const start = block >= 0 ? block : startOfWords(text, 3);
  return text.slice(Math.min(Math.max(start, text.length - longestCredential), text.length - begun));
}

function startOfWords(text: string, count: number): number {
  let isWithin = false;
  for (let at = text.length, words = 0; at > 0; at -= 1) {
    const isSpace = text.charCodeAt(at - 1) <= 32;
    if (isWithin && isSpace) words += 1;
    if (words === count) return at;
    isWithin = !isSpace;
  }
  return 0;
}
