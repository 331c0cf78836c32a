export {
  type CreateContextOptions,
  createContext,
  openProjectContext,
  type ProjectContextOptions,
} from "./context/create-context.ts";
export type { ContextIngestOptions, ContextRememberOptions, DataContext } from "./ingest/data-context.ts";
export type { IngestedSources, IngestRequest } from "./ingest/ingest-request.ts";
export { type IngestRunState, IngestRuns } from "./ingest/ingest-runs.ts";
export { openProjectIngest, type ProjectIngest, type ProjectIngestOptions } from "./ingest/project-ingest.ts";
export { userMemoryInstructions } from "./ingest/user-memory.ts";
