export type { Claim, ClaimSource, ClaimStatus } from "./claims/claim.ts";
export {
  type BothHold,
  type Decisions,
  decisionsFile,
  type Pin,
  type RemovedThing,
} from "./claims/decisions/decision-schema.ts";
export { type AddedDecisions, type ReadDecisions, readDecisions } from "./claims/decisions/parse-decisions.ts";
export type { GateServices } from "./claims/gates/gate.ts";
export { type CuratedClaims, type CurateOptions, curateClaims } from "./curation/curate-claims.ts";
export type { DecisionNote } from "./curation/resolution/pins.ts";
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
export {
  acceptAll,
  type ContestedClaim,
  type Contradiction,
  chooseClaim,
  type DecidedBy,
  findContradictions,
} from "./provenance/contested-claims.ts";
export {
  type CitedSpan,
  type ExplainedClaim,
  explainKey,
  type Provenance,
  provenanceOf,
  type WhyAnswer,
  whyKinds,
} from "./provenance/why.ts";
export type { ChangeSet, PlanNote, PlannedEntry, PlannedFile } from "./rendering/change-set.ts";
export type { CheckModels } from "./rendering/models/check-models.ts";
export { peoplesPages } from "./rendering/render-pages.ts";
export { writtenFile } from "./rendering/written-record.ts";
export { type AppliedChanges, type ApplyOptions, applyChanges, finishChanges } from "./runs/changes/apply-changes.ts";
export { buildReport, type ReportParts } from "./runs/changes/build-report.ts";
export { decide } from "./runs/changes/decide.ts";
export { formatReportHtml, formatReportMarkdown } from "./runs/changes/format-report.ts";
export { type PlanChangesOptions, planChanges, readPagePlaces } from "./runs/changes/plan-changes.ts";
export { readProjectModels } from "./runs/changes/read-project.ts";
export { type IngestReport, ingestReportSchema, type ReportedClaim } from "./runs/changes/report-schema.ts";
export { type WriteOptions, type WrittenKnowledge, writeKnowledge } from "./runs/changes/write-knowledge.ts";
export { type ContextKnowledgeOptions, createContextKnowledge } from "./runs/context-knowledge.ts";
export { ingest } from "./runs/ingest.ts";
export type { IngestKnowledge, IngestOptions, IngestResult } from "./runs/ingest-options.ts";
export { type IngestOutcome, ingestOutcomeSchema } from "./runs/ingest-outcome.ts";
export { type IngestProgress, type ProgressStage, progressStages } from "./runs/progress.ts";
export type { Candidate, CandidateBody, CandidateEvidence, StatementBody } from "./sources/candidate.ts";
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
