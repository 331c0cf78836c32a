/** The types of ingest: documents and tools become knowledge with sources. */
export type { ContextIngestOptions, IngestedSources, IngestingContext, IngestRequest } from "@bridle/agent/context";
export type {
  Authority,
  CitedSpan,
  ClaimSource,
  ClaimStatus,
  ExplainedClaim,
  IngestProgress,
  IngestReport,
  PlannedEntry,
  PlannedFile,
  ProgressStage,
  WhyAnswer,
} from "@bridle/ingest";
