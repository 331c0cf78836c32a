/** A project's warehouses: connections, scans, stored knowledge, and questions. */
export { type AnsweredQuestion, askQuestion, type QuestionPlan } from "./ask-question.ts";
export { type AskedQuery, answeredQuestionSchema, type PageOfAnswer } from "./collect-answer.ts";
export { describeWarehouses } from "./context-status.ts";
export { listDrift, showTable } from "./describe-knowledge.ts";
export type { FoundDatabase } from "./discovery/found-database.ts";
export { type ChooseDatabases, type ContextInit, contextInitSchema, initContext } from "./init-context.ts";
export { decideJoin, type JoinAnswer, listContextChanges } from "./joins/decide-join.ts";
export { type JoinSelection, listJoins } from "./joins/list-joins.ts";
export { type ProposeJoinsEffects, type ProposeJoinsSelection, proposeContextJoins } from "./joins/propose-joins.ts";
export {
  type ProposedJoinResult,
  type ProposedJoinsResult,
  proposedJoinsSchema,
} from "./joins/propose-joins-schema.ts";
export {
  type ContextStatus,
  contextStatusSchema,
  type DecidedJoin,
  decidedJoinSchema,
  type ListedChanges,
  type ListedDrift,
  type ListedJoin,
  listedChangesSchema,
  listedDriftSchema,
  listedJoinsSchema,
  type ShownTable,
  shownTableSchema,
} from "./knowledge-schemas.ts";
export { type ListedTable, listedTableSchema, listTables, type TablePage } from "./list-tables.ts";
export { runSql, type SqlRequest, type SqlResult, sqlResultSchema } from "./run-sql.ts";
export {
  type ConnectionProgress,
  type ScanEffects,
  type ScanSelection,
  scanContext,
} from "./scan-context.ts";
export { type ScannedContext, scannedContextSchema, type WrittenDescriptions } from "./scan-schema.ts";
export { type FoundKnowledge, foundKnowledgeSchema, searchKnowledge } from "./search-knowledge.ts";
