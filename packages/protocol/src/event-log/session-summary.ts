import { promptText } from "../conversation/prompt-text.ts";
import type { RunEvent } from "../events/events.ts";
import { omitUndefined } from "../text/omit-undefined.ts";
import type { SessionSummary } from "./event-log.ts";

/** The maximum number of characters of a first prompt in a list of sessions. */
const shownChars = 200;

/** The facts that a list shows about a session, besides its times. An event log stores them, so that a list reads no events. */
export type SessionOutline = Pick<
  SessionSummary,
  "newest" | "labels" | "firstPrompt" | "forkedFrom" | "parentRunId" | "parentSessionId"
>;

/** Adds one event to the outline of its session. Pure. Returns the same outline if the event changes nothing. */
export function addToOutline(outline: SessionOutline, event: RunEvent): SessionOutline {
  switch (event.type) {
    case "run.started": {
      const { runId, backend, model, labels, parentRunId, parentSessionId } = event;
      const { labels: _labels, parentRunId: run, parentSessionId: session, ...rest } = outline; // of an earlier run
      const isNested = parentRunId !== undefined; // else the user continues the session, and its caller stays
      const parent = omitUndefined(
        isNested ? { parentRunId, parentSessionId } : { parentRunId: run, parentSessionId: session },
      );
      const newest = { runId, ended: false, backend, model, ...(isNested && { nested: true as const }) };
      return { ...rest, ...(labels && { labels }), ...parent, newest };
    }
    case "run.finished":
      if (outline.newest?.runId !== event.runId || outline.newest.ended) return outline;
      return { ...outline, newest: { ...outline.newest, ended: true } };
    case "model.input": {
      const message = event.messages.at(-1);
      if (outline.firstPrompt !== undefined || message === undefined) return outline;
      return { ...outline, firstPrompt: promptText(message).slice(0, shownChars) };
    }
    case "history.replaced":
      if (event.reason !== "forked" || event.from === undefined || outline.firstPrompt !== undefined) return outline;
      return { ...outline, forkedFrom: event.from };
    default:
      return outline;
  }
}
