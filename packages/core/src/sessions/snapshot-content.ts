/** Writes and reads a session's snapshots, which are lines of JSON. */
import {
  callIds,
  type HistoryMessage,
  type RunEvent,
  type SessionSnapshot,
  type SessionTotals,
  type TranscriptEntry,
} from "@bridle/protocol";
import type { WindowMeter } from "../run/context-usage.ts";
import { listText, rememberTexts } from "../run/message-texts.ts";
import type { EventIdentity } from "./event-identity.ts";

/**
 * The version of the snapshots' form. It changes with the form and with the derivation of messages and measurements from events. Snapshots
 * with another version are not read.
 */
const form = 2;

/** The changes since the previous snapshot, and the state that is not settled. */
interface SnapshotState {
  /** The newest event that is included. */
  readonly newest: EventIdentity;
  readonly totals: SessionTotals;
  readonly usage: WindowMeter;
  readonly steps: number;
  /** The entries that are not settled. */
  readonly entries: readonly TranscriptEntry[];
  /** Whether the messages replace those of all earlier snapshots. */
  readonly isReplaced: boolean;
  readonly approvals: readonly RunEvent[];
  /** The artifacts of results that were cut, by call. */
  readonly results: readonly (readonly [string, string])[];
}

export interface SnapshotContent extends SnapshotState {
  /** The ids of the calls in the messages. */
  readonly calls: readonly string[];
  /** Reads the settled messages, which takes most of the time. */
  readMessages(): readonly HistoryMessage[];
}

/** Removes credentials from a JSON text, as the event log does before it stores one. */
export type RedactsJson = (json: string) => string;

/**
 * Writes a snapshot. The second line has the messages for hosts, the third has them in canonical JSON, and the fourth in canonical JSON
 * without credentials, because a call's input may contain a text that only looks like a credential. A line is empty if it would equal the
 * previous one.
 */
export function toSnapshot(
  after: number,
  redact: RedactsJson,
  { messages, ...state }: SnapshotState & { messages: readonly HistoryMessage[] },
): SessionSnapshot {
  const head = JSON.stringify({ form, calls: callIds(messages), ...state });
  const text = JSON.stringify(messages);
  const canonical = listText(messages);
  const clean = redact(`[${canonical}]`).slice(1, -1);
  rememberTexts(messages, canonical, clean);
  const lines = [head, text, orEmpty(canonical, text.slice(1, -1)), orEmpty(clean, canonical)];
  return { after, seq: state.newest.seq, content: lines.join("\n") };
}

function orEmpty(text: string, before: string): string {
  return text === before ? "" : text;
}

/**
 * Reads snapshots that each continue the previous one. Returns an empty list if one of them has another form: then events are read instead.
 */
export function parseSnapshots(snapshots: readonly SessionSnapshot[]): readonly SnapshotContent[] {
  const parsed: SnapshotContent[] = [];
  let after = 0;
  for (const snapshot of snapshots) {
    const content = snapshot.after === after ? parse(snapshot) : undefined;
    if (content === undefined) return [];
    parsed.push(content);
    after = snapshot.seq;
  }
  return parsed;
}

function parse({ content }: SessionSnapshot): SnapshotContent | undefined {
  const [head = "", text = "", canonicalLine, clean] = content.split("\n");
  const state = parseJson(head);
  if (!isState(state) || canonicalLine === undefined || clean === undefined) return undefined;
  const readMessages = () => {
    const messages: readonly HistoryMessage[] = JSON.parse(text);
    const canonical = canonicalLine || text.slice(1, -1);
    rememberTexts(messages, canonical, clean || canonical);
    return messages;
  };
  return { ...state, readMessages };
}

type ParsedHead = SnapshotState & Pick<SnapshotContent, "calls">;

/** Whether a value is the first line of a snapshot. Only the version is checked, because it determines all other keys. */
function isState(value: unknown): value is ParsedHead {
  return typeof value === "object" && value !== null && "form" in value && value.form === form;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
