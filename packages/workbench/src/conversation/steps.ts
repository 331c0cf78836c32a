import type { SessionEntry } from "../connection/session-entries.ts";
import { promptOf } from "./prompt-of.ts";

/** The reader's current position, for a header that stays visible. */
export interface TurnPlace {
  /** The index of the message that the turn answers. */
  readonly index: number;
  readonly words: string;
  readonly step: number | undefined;
}

/** Finds the message and the step that an entry belongs to. Undefined for an entry that is itself a message. */
export function turnHeadOf(entries: readonly SessionEntry[], at: number): TurnPlace | undefined {
  const entry = entries[at];
  if (entry === undefined || entry.kind === "user") return undefined;
  const index = entries.findLastIndex(({ kind }, each) => each < at && kind === "user");
  const prompt = entries[index];
  if (prompt?.kind !== "user") return undefined;
  return { index, words: promptOf(prompt.message), step: "step" in entry ? entry.step : undefined };
}

/** Finds the index of the first entry of the next or previous step or message, or of the first or last entry. */
export function nextStep(entries: readonly SessionEntry[], from: number, by: 1 | -1): number {
  const isStart = (index: number) => partOf(entries[index]) !== partOf(entries[index - 1]);
  for (let index = from + by; index >= 0 && index < entries.length; index += by) if (isStart(index)) return index;
  return by === 1 ? entries.length - 1 : 0;
}

function partOf(entry: SessionEntry | undefined): string {
  if (entry === undefined) return "";
  return "step" in entry ? `${entry.runId} ${entry.step}` : `${entry.kind} ${entry.seq}`;
}

/** A call that is one of several parallel calls. */
export interface Parallel {
  /** The number of parallel calls. Set only for the first one. */
  readonly count: number | undefined;
}

/** Finds the group of parallel calls that a call belongs to. Undefined for a single call. */
export function parallelOf(entries: readonly SessionEntry[], at: number): Parallel | undefined {
  const own = entries[at];
  const isSame = (other: SessionEntry | undefined) =>
    own?.kind === "tool" && other?.kind === "tool" && other.step === own.step && other.runId === own.runId;
  if (isSame(entries[at - 1])) return { count: undefined };
  let end = at + 1;
  while (isSame(entries[end])) end += 1;
  return end === at + 1 ? undefined : { count: end - at };
}
