/** Sessions: conversations with one or more runs in a project's event log. */

export { newSessionId, readWithoutDeltas, sessionIdPattern } from "@bridle/core";
export { isTestSession, newestSession, requireSession } from "../events/find-session.ts";
export { type ContextContents, contextContentsSchema, readContextContents } from "./context-contents.ts";
export { type ForkExistingOptions, forkExistingSession } from "./fork-session.ts";
export { describeSession, listSessions } from "./list-sessions.ts";
export { pageSessions, type SessionPage } from "./page-sessions.ts";
export {
  type PlacedTranscriptView,
  placedTranscriptSchema,
  readPlacedTranscript,
  readUpTo,
} from "./placed-transcript-view.ts";
export { type Replay, readReplay, replaySchema } from "./read-replay.ts";
export { type RemovedSession, removedSessionSchema, removeSessions } from "./remove-session.ts";
export {
  describeRunDetail,
  describeSessionDetail,
  type RunDetail,
  runDetailSchema,
  type SessionDetail,
  sessionDetailSchema,
} from "./session-detail.ts";
export { formatSessionMarkdown } from "./session-markdown.ts";
export {
  type EntryRow,
  type RunRow,
  runRowSchema,
  type SessionList,
  type SessionRow,
  type SessionView,
  sessionListSchema,
  sessionRowSchema,
  sessionViewSchema,
} from "./session-schemas.ts";
export { viewSession } from "./view-session.ts";
