/** Serving agents to several clients at once: one workspace for each user, without HTTP. */

export { type OpenWorkspace, openWorkspace, type WorkspaceOptions } from "./open-workspace.ts";
export { requireAgentsTrust } from "./require-agents-trust.ts";
export { KeyReusedError, NotServedError, ServingEndedError, TooManyRunsError } from "./serving-errors.ts";
export type {
  EventPages,
  RunToStart,
  ServedAgent,
  ServedAgents,
  ServedRuns,
  StartedRun,
  Workspace,
} from "./workspace.ts";
