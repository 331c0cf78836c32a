export { type AppliedChanges, type ApplyOptions, applyChanges, finishChanges } from "./changes/apply-changes.ts";
export { buildReport, type ReportParts } from "./changes/build-report.ts";
export type { ChangeSet, PlanNote, PlannedEntry, PlannedFile } from "./changes/change-set.ts";
export { formatReportHtml, formatReportMarkdown } from "./changes/format-report.ts";
export { type PlanChangesOptions, planChanges, readPagePlaces } from "./changes/plan-changes.ts";
export { readProjectModels } from "./changes/read-project.ts";
export { type IngestReport, ingestReportSchema, type ReportedClaim } from "./changes/report-schema.ts";
export { type WriteOptions, type WrittenKnowledge, writeKnowledge } from "./changes/write-knowledge.ts";
export type { Candidate, CandidateBody, CandidateEvidence, StatementBody } from "./claims/candidate.ts";
export type { Claim, ClaimSource, ClaimStatus } from "./claims/claim.ts";
export { type CuratedClaims, type CurateOptions, curateClaims } from "./curation/curate-claims.ts";
export { decide } from "./decisions/decide.ts";
export {
  type BothHold,
  type Decisions,
  decisionsFile,
  type Pin,
  type RemovedThing,
} from "./decisions/decision-schema.ts";
export { type AddedDecisions, type ReadDecisions, readDecisions } from "./decisions/parse-decisions.ts";
export type { GateServices } from "./gates/gate.ts";
export { findMemorySignals, type SaidMessage } from "./memory/find-signals.ts";
export { type ForgetOptions, type Forgotten, forget } from "./memory/forget.ts";
export {
  type MemoryFact,
  type MemoryScope,
  memoryFileName,
  memoryScopes,
  type RememberedStatement,
} from "./memory/memory-file.ts";
export { createMemorySource, memorySourceName } from "./memory/memory-source.ts";
export { createPagesSource } from "./memory/pages-source.ts";
export { type Remembered, type RememberOptions, remember } from "./memory/remember.ts";
export { type MemoryPlaces, ScopedMemory } from "./memory/scoped-memory.ts";
export type {
  CallUse,
  IngestModels,
  IngestRole,
  LoopCall,
  LoopEnd,
  ObjectCall,
  TokenPrice,
} from "./models/ingest-models.ts";
export { createRuntimeModels, type RuntimeModelsOptions } from "./models/runtime-models.ts";
export { ingest } from "./pipeline/ingest.ts";
export type { IngestKnowledge, IngestOptions, IngestResult } from "./pipeline/ingest-options.ts";
export { type IngestOutcome, ingestOutcomeSchema } from "./pipeline/ingest-outcome.ts";
export { type IngestProgress, type ProgressStage, progressStages } from "./pipeline/progress.ts";
export {
  type CitedSpan,
  type ExplainedClaim,
  explainKey,
  type Provenance,
  type WhyAnswer,
  whyKinds,
} from "./provenance/why.ts";
export type { CheckModels } from "./rendering/models/check-models.ts";
export { peoplesPages } from "./rendering/render-pages.ts";
export { writtenFile } from "./rendering/written-record.ts";
export type { DecisionNote } from "./resolution/pins.ts";
export { createItemFilter } from "./sources/item-filter.ts";
export { createSource } from "./sources/kinds/create-source.ts";
export type { SourceServices } from "./sources/kinds/source-kind.ts";
export { type RecognisedSource, recogniseSources } from "./sources/recognition/recognise-sources.ts";
export {
  type Authority,
  authorities,
  type FetchContext,
  type FetchEvent,
  type IngestSource,
  type Projection,
  type ProjectionContext,
  type ProjectionFinding,
  type SourceItem,
  type StagedItem,
} from "./sources/source.ts";
export { createSecretRemoval } from "./staging/remove-secrets.ts";
export { type IngestStore, ingestFile, openIngestStore } from "./store/ingest-store.ts";
export type { StoredRun } from "./store/run-lock.ts";
export { IngestRunningError, IngestStoreError } from "./store/store-errors.ts";
export { type ContextKnowledgeOptions, createContextKnowledge } from "./units/context-knowledge.ts";
