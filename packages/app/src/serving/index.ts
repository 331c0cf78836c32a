/** Serving agents to several clients at once: one workspace for each user, without HTTP. */
export type {
  EventPages,
  RunToStart,
  ServedAgent,
  ServedAgents,
  ServedRuns,
  StartedRun,
  Workspace,
} from "./workspace.ts";
