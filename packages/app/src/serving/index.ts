/** Serving agents to several clients at once: one workspace for each user, without HTTP. */

export type { SessionToCreate } from "./created-sessions.ts";
export { type OpenWorkspace, openWorkspace, type WorkspaceOptions } from "./open-workspace.ts";
export { requireAgentsTrust } from "./require-agents-trust.ts";
export { RunSlots } from "./run-slots.ts";
export {
  KeyReusedError,
  NotServedError,
  ServingEndedError,
  SessionExistsError,
  TooManyRunsError,
} from "./serving-errors.ts";
export type { RequestKey, SessionNote } from "./serving-state.ts";
export type {
  EventPages,
  RunToStart,
  ServedAgent,
  ServedAgents,
  ServedRuns,
  ServedSessions,
  StartedRun,
  Workspace,
} from "./workspace.ts";
export { Workspaces, type WorkspacesOptions } from "./workspaces.ts";
