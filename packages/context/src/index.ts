export type {
  CallerOptions,
  ContextConnection,
  ContextToolset,
  ContextToolsetOptions,
  DescribedTable,
  OpenContextOptions,
  WriteDescriptionsOptions,
} from "./context/context-options.ts";
export type { DataFiles, DataJoins, DataMetrics, DataWiki } from "./context/context-parts.ts";
export { OpenedContext, openContext } from "./context/open-context.ts";
export type {
  DescribeTablesOptions,
  DescribeTablesReport,
  GenerateDescriptions,
} from "./descriptions/describe-tables.ts";
export type { DescriptionAnswer } from "./descriptions/description-prompt.ts";
export type { DescriptionStore } from "./descriptions/description-store.ts";
export type { ContextFolder } from "./facts/context-folder.ts";
export { changesFile, tableFilePath, tableFilesFolder } from "./facts/context-folder.ts";
export type {
  ColumnProfileFacts,
  ConnectionFacts,
  DriftEntry,
  EndCounts,
  FactsReader,
  JoinEnd,
  JoinEvidence,
  JoinFacts,
  JoinUniqueness,
  KeyFacts,
  Relationship,
  StatedRelationship,
  TableFacts,
  ValueProfile,
} from "./facts/facts.ts";
export { type ColumnPath, formatColumnId, formatTableId, type TablePath } from "./facts/identifiers.ts";
export { parseColumnId, parseTableId, splitIdentifier } from "./facts/parse-identifier.ts";
export { type ChangeFilesOptions, requireInside } from "./files/change-files.ts";
export {
  type ListChangesOptions,
  type ListedChange,
  type LockedChangeLog,
  removeChanges,
  withChangeLock,
} from "./files/change-log.ts";
export type { UnknownNote } from "./files/check-notes.ts";
export type { ChangeAuthor, ChangeResult, FileChange } from "./files/file-change.ts";
export { type ContextFileProblem, formatContextProblem } from "./files/file-problem.ts";
export { describeUnreadable, readOwnText } from "./files/folder-entries.ts";
export {
  type CommitPlan,
  commitFiles,
  planCommit,
  RepositoryLockedError,
} from "./files/git/commit-files.ts";
export type { AuthoredChange, PreviewedFile } from "./files/preview-changes.ts";
export { ReplacedFile } from "./files/replaced-file.ts";
export { formatJoinEntry, type JoinEnds, TableFileEditor } from "./files/table-file-editor.ts";
export type { NoteSource, TableNotes } from "./files/table-file-schema.ts";
export type { JoinDecision, NotesOfFiles, UnprotectedSchema } from "./files/table-notes.ts";
export { EditedDocument } from "./files/yaml/edit-document.ts";
export { type ParsedYamlFile, parseYamlFile } from "./files/yaml/parse-yaml-file.ts";
export { parseStatementLog } from "./history/parse-statement-log.ts";
export type {
  HistoryTable,
  LoggedStatement,
  QueryHistory,
  TableUsage,
  UsageCount,
  UsedAggregate,
  UsedColumn,
  UsedCondition,
  UsedJoin,
} from "./history/query-history.ts";
export { isOwnStatement, type ReadHistoryOptions, readQueryHistory } from "./history/read-query-history.ts";
export type { Knowledge } from "./knowledge/knowledge.ts";
export type {
  DescriptionReader,
  IsVisible,
  KnowledgeSources,
  KnownColumn,
  KnownJoin,
  KnownTable,
  RankedDescription,
} from "./knowledge/known.ts";
export type { ShownByView, ShownTables } from "./knowledge/shown-tables.ts";
export type { CheckedMeasure, CheckedMetrics } from "./metrics/check-metrics.ts";
export type { CheckedModelFiles, CheckFilesOptions } from "./metrics/check-model-files.ts";
export type { DescribedModel, ListedMeasure } from "./metrics/describe-models.ts";
export type { MetricRunOptions } from "./metrics/metric-queries.ts";
export type {
  AnsweredMetrics,
  MetricOutcome,
  MetricPlan,
  PlannedMetrics,
  RefusedMetrics,
} from "./metrics/metric-query-types.ts";
export type { PlacedModel } from "./metrics/model-table.ts";
export { describeMultiplied, type MultipliedRows } from "./multiplicity/multiplied-rows.ts";
export { findMultipliedIn } from "./multiplicity/statement-warnings.ts";
export type { GenerateProposals } from "./proposals/generate-proposals.ts";
export type { GivenHistory, HistorySummary } from "./proposals/models/gather-usage.ts";
export type { ImproveOptions } from "./proposals/models/improve-drafts.ts";
export type {
  ModelProposal,
  ModelProposalRequest,
  ModelProposals,
  ProposedMeasure,
  ProposedSegment,
} from "./proposals/models/propose-models.ts";
export type { UsedEntry } from "./proposals/models/usage-evidence.ts";
export type { ProposedJoin, ProposeJoinsOptions } from "./proposals/propose-joins.ts";
export type { JoinProposals, JudgedJoin, ProposalRequest } from "./proposals/propose-judged-joins.ts";
export { normaliseQuery } from "./query-shapes/normalise-query.ts";
export type {
  ShapeAggregate,
  ShapeColumn,
  ShapeFilter,
  ShapeJoin,
  StatementShape,
} from "./query-shapes/query-shape.ts";
export { readQueryShape } from "./query-shapes/read-query-shape.ts";
export {
  type ComparedRows,
  type CompareRowsOptions,
  compareRows,
  type RowComparison,
} from "./questions/compare-rows.ts";
export { formatQuestionProblem, type QuestionProblem } from "./questions/question-problem.ts";
export {
  type ContextQuestion,
  contextQuestionSchema,
  questionFileSchema,
  type Reference as QuestionReference,
} from "./questions/question-schema.ts";
export { type ReadQuestions, type ReadQuestionsOptions, readQuestions } from "./questions/read-questions.ts";
export { estimateReplyTokens } from "./replies/estimate-tokens.ts";
export { asLine, dataNotice, fenceLines } from "./replies/reply.ts";
export type { JudgedProposal } from "./scan/judge-proposals.ts";
export type { JoinProposal, ScanBudget, ScanOptions, ScanProgress, ScanReport } from "./scan/scan-options.ts";
export type { FindOptions, SearchHit } from "./search/context-search.ts";
export type { KnownToAgent } from "./tools/context-tools.ts";
export { describeFound, type FoundMetric, metricKinds } from "./tools/describe-found.ts";
export {
  type CalledStatement,
  type CalledTool,
  pageOfCall,
  pageSourcesSchema,
  type ReadRows,
  statementOfCall,
} from "./tools/sources-of-calls.ts";
export type { ContextPage } from "./wiki/context-page.ts";
export { editPage, formatPage } from "./wiki/format-page.ts";
export { type PageBlock, splitBlocks } from "./wiki/page-blocks.ts";
export { PageFolder, pageFile, type ReadPages, type WikiPage, wikiFolder } from "./wiki/page-folder.ts";
export { findPageLinks, type PageLink } from "./wiki/page-links.ts";
export { maxPageChars, type PageFront, type PageSource, pageFrontSchema } from "./wiki/page-schema.ts";
export type { PageSection } from "./wiki/page-sections.ts";
export { type ParsedPage, parsePage } from "./wiki/parse-page.ts";
export { isSlug, toSlug } from "./wiki/slugs.ts";
