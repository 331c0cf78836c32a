/** Ingest: documents and tools become knowledge with sources. */
export { type IngestChoices, type IngestEffects, withIngest } from "./open-ingest.ts";
