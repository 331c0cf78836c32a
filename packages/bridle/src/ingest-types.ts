/** The types of ingest: documents and tools become knowledge with sources. */
export type {
  ContextIngestOptions,
  ContextRememberOptions,
  DataContext,
  IngestedSources,
  IngestRequest,
} from "@bridle/data";
export type {
  Authority,
  CitedSpan,
  ClaimSource,
  ClaimStatus,
  ExplainedClaim,
  IngestProgress,
  IngestReport,
  MemoryFact,
  MemoryScope,
  PlannedEntry,
  PlannedFile,
  ProgressStage,
  Remembered,
  RememberedStatement,
  WhyAnswer,
} from "@bridle/ingest";
