export {
  type CallerOptions,
  type ContextConnection,
  type ContextToolset,
  type DescribedTable,
  factsFile,
  type OpenContextOptions,
  type OpenedContext,
  openContext,
} from "./context/open-context.ts";
export {
  type DescribeTablesOptions,
  type DescribeTablesReport,
  describeTables,
  type GenerateDescriptions,
} from "./descriptions/describe-tables.ts";
export type { DescriptionAnswer } from "./descriptions/description-prompt.ts";
export { DescriptionStore, descriptionsFile } from "./descriptions/description-store.ts";
export type {
  ColumnProfileFacts,
  ConnectionFacts,
  DriftEntry,
  FactsReader,
  JoinEnd,
  JoinEvidence,
  JoinFacts,
  KeyFacts,
  TableFacts,
  ValueProfile,
} from "./facts/facts.ts";
export { DamagedFactsError, FactsError, ScanRunningError } from "./facts/facts-errors.ts";
export type { MeasuredFacts, StoredConnection } from "./facts/facts-schemas.ts";
export type { FactsSnapshot, FactsWriter, ScanResult } from "./facts/facts-writer.ts";
export { type ColumnPath, formatColumnId, formatTableId, type TablePath } from "./facts/identifiers.ts";
export { type FactsDatabase, openFacts } from "./facts/open-facts.ts";
export { parseColumnId, parseTableId, splitIdentifier } from "./facts/parse-identifier.ts";
export type { CommittedTable, StoredMeasurement, StoredScan } from "./facts/stored-scan.ts";
export { type ChangeFilesOptions, changeTableFile } from "./files/change-files.ts";
export type { ListChangesOptions, ListedChange } from "./files/change-log.ts";
export type { UnknownNote } from "./files/check-notes.ts";
export type { ContextFolder } from "./files/context-folder.ts";
export type { ChangeAuthor, ChangeResult, FileChange } from "./files/file-change.ts";
export { type ContextFileProblem, formatContextProblem } from "./files/file-problem.ts";
export { listChanges } from "./files/list-changes.ts";
export type { NoteSource, TableNotes } from "./files/table-file-schema.ts";
export { TableFiles } from "./files/table-files.ts";
export { type JoinDecision, joinKey, type NotedText, type NotesOfFiles } from "./files/table-notes.ts";
export {
  type FoundJoins,
  type FoundKey,
  type FoundLink,
  findJoins,
  type LinkEvidence,
  type LinkSignal,
} from "./joins/find-joins.ts";
export { Knowledge } from "./knowledge/knowledge.ts";
export type {
  DescriptionReader,
  IsVisible,
  KnowledgeSources,
  KnownColumn,
  KnownJoin,
  KnownTable,
  RankedDescription,
} from "./knowledge/known.ts";
export { scan } from "./scan/scan.ts";
export {
  type JoinProposal,
  type ScanBudget,
  type ScanOptions,
  type ScanProgress,
  type ScanReport,
  scanPhases,
} from "./scan/scan-options.ts";
export {
  ContextSearch,
  type ContextSearchOptions,
  type FindOptions,
  type SearchHit,
} from "./search/context-search.ts";
export { createContextTools } from "./tools/context-tools.ts";
export { contextInstructions } from "./tools/instructions.ts";
export type { ContextToolsOptions } from "./tools/tool-options.ts";
export type { ScopedConnection } from "./tools/tool-scope.ts";
