/** The types of ingest, which turns documents and other tools' files into knowledge with sources. */
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
