/** Warehouses of a project: connecting them, scanning them, what is known about them, and questions to them. */
export { describeContext } from "./context-status.ts";
export { type DecidedJoin, decideJoin, type JoinAnswer, listContextChanges } from "./decide-join.ts";
export { listDrift, showTable } from "./describe-knowledge.ts";
export type { FoundDatabase } from "./found-database.ts";
export { type ChooseDatabases, type ContextInit, initContext } from "./init-context.ts";
export type { ContextStatus, ListedChanges, ListedDrift, ListedJoin, ShownTable } from "./knowledge-schemas.ts";
export { type JoinSelection, listJoins } from "./list-joins.ts";
export {
  type ConnectionProgress,
  type ScanEffects,
  type ScannedContext,
  type ScanSelection,
  scanContext,
} from "./scan-context.ts";
