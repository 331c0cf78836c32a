/** Serves agents to several clients at once, with one workspace for each user. Contains no HTTP. */

export { serverOwner } from "@bridle/project";
export { readCertificate } from "./files/read-certificate.ts";
export {
  readServerStatus,
  removeServerFile,
  type ServerStatus,
  serverStatusSchema,
  writeServerFile,
} from "./files/server-file.ts";
export { requireSocketFolder } from "./files/socket-folder.ts";
export { readServerToken } from "./files/token-file.ts";
export { type OpenWorkspace, openWorkspace, type WorkspaceOptions } from "./open-workspace.ts";
export { requireAgentsTrust } from "./require-agents-trust.ts";
export { RunSlots } from "./run-slots.ts";
export { ServedRules } from "./served-rules.ts";
export {
  KeyReusedError,
  NotServedError,
  ServingEndedError,
  SessionExistsError,
  SessionRemovedError,
  TooManyRunsError,
  TooManySessionsError,
} from "./serving-errors.ts";
export type { RequestKey, SessionNote, UnbegunQuery } from "./serving-state.ts";
export type {
  BackgroundJob,
  EventPages,
  RunToStart,
  ServedAgent,
  ServedAgents,
  ServedJobs,
  ServedRun,
  ServedRuns,
  ServedSessions,
  SessionToCreate,
  Workspace,
} from "./workspace.ts";
export { Workspaces, type WorkspacesOptions } from "./workspaces.ts";

import type { Project } from "@bridle/project";

type ServeSettings = Project["settings"]["serve"];
/** A protocol in `serve.protocols`. */
export type ServeProtocol = ServeSettings["protocols"][number];
/** The users in `serve.users`, by name. */
export type ServeUsers = ServeSettings["users"];
