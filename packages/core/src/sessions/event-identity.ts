import type { RunEvent } from "@bridle/protocol";

/**
 * Distinguishes an event from another one with the same number: two such events can occur after a lost lease, or in a session that began
 * again.
 */
export type EventIdentity = Pick<RunEvent, "seq" | "runId" | "time" | "type">;

export function identify({ seq, runId, time, type }: RunEvent): EventIdentity {
  return { seq, runId, time, type };
}

export function isSameEvent(one: EventIdentity, other: EventIdentity): boolean {
  return one.seq === other.seq && one.runId === other.runId && one.time === other.time && one.type === other.type;
}
