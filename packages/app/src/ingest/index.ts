/** Ingest: turns documents and tools into knowledge with sources. */
export type { IngestProgress, WhyAnswer } from "@bridle/ingest";
export {
  type IngestRunEffects,
  type IngestSelection,
  ingestContext,
  type ProposedFile,
} from "./ingest-context.ts";
export { type IngestedContext, ingestedContextSchema, isWholeIngest } from "./ingested-schema.ts";
export { type IngestChoices, type IngestEffects, withIngest } from "./open-ingest.ts";
