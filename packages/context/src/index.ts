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
export type { FactsSnapshot, FactsWriter, ScanResult, StoredMeasurement } from "./facts/facts-writer.ts";
export { type ColumnPath, formatColumnId, formatTableId, type TablePath } from "./facts/identifiers.ts";
export { type FactsDatabase, openFacts } from "./facts/open-facts.ts";
export {
  type FoundJoins,
  type FoundKey,
  type FoundLink,
  findJoins,
  type LinkEvidence,
  type LinkSignal,
} from "./joins/find-joins.ts";
