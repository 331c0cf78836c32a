/** Tools over the data context. They load more than the rest of the package. */
export { ingestStartTool, ingestStatusTool } from "./ingest/ingest-run-tools.ts";
export { type RememberToolOptions, rememberTool } from "./ingest/remember-tool.ts";
