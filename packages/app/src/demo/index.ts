/** The demo: an agent that answers a question about a database, with a scripted model. */

export { type ContextDemo, writeContextDemo } from "./context-demo.ts";
export { type Demo, openDemo } from "./demo.ts";
export { type IngestDemo, writeIngestDemo } from "./ingest/ingest-demo.ts";
