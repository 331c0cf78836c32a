/** Tools for the data context. Importing them loads more than the rest of the package. */
export { ingestStartTool, ingestStatusTool } from "./ingest/ingest-run-tools.ts";
export { type RememberToolOptions, rememberTool } from "./ingest/remember-tool.ts";
