/** Sessions: conversations of several runs in the event log of a project. */

export { newSessionId, readWithoutDeltas, sessionIdPattern } from "@bridle/core";
export { isTestSession, newestSession, requireSession } from "./find-session.ts";
export { type ForkExistingOptions, forkExistingSession } from "./fork-session.ts";
export { listSessions } from "./list-sessions.ts";
export { type RemovedSession, removedSessionSchema, removeSessions } from "./remove-session.ts";
export { formatSessionMarkdown } from "./session-markdown.ts";
export {
  type EntryRow,
  type RunRow,
  type SessionList,
  type SessionRow,
  type SessionView,
  sessionListSchema,
  sessionViewSchema,
} from "./session-schemas.ts";
export { viewSession } from "./view-session.ts";
