/** How events change the entry of their call. Pure. */
import type { EventOf } from "../events/events.ts";
import { answeredTooLate } from "./late-reply.ts";
import type { NestedRun, ToolEntry } from "./transcript.ts";

/** Applies a question. A running call that asks about a part of its work is still running. */
export function asked({ state }: ToolEntry, { runId }: EventOf<"approval.requested">): Partial<ToolEntry> {
  return state === "running" ? {} : { state: "waiting", askedIn: runId };
}

/** Applies an answer. An answer that another run logs is too late for the call. */
export function decided({ state, askedIn }: ToolEntry, event: EventOf<"approval.decided">): Partial<ToolEntry> {
  if (state === "running") return {};
  if (askedIn === event.runId) return { state: "requested", ...getEdit(event) };
  return state === "waiting" ? { state: "denied", output: answeredTooLate(event) } : {};
}

function getEdit({ input }: EventOf<"approval.decided">): Pick<ToolEntry, "edited"> {
  return input === undefined ? {} : { edited: input };
}

export function toNested({ nestedRunId: runId, nestedSessionId: sessionId }: EventOf<"nested.started">): NestedRun {
  return sessionId === undefined ? { runId } : { runId, sessionId };
}
