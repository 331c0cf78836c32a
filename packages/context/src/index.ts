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
export { type ColumnPath, formatColumnId, formatTableId, type TablePath } from "./facts/identifiers.ts";
export {
  type FoundJoins,
  type FoundKey,
  type FoundLink,
  findJoins,
  type LinkEvidence,
  type LinkSignal,
} from "./joins/find-joins.ts";
