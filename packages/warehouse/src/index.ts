export { type RefusalReason, StatementRefusedError } from "@bridle/sql";
export { connectors } from "./connectors/registry.ts";
export type {
  CatalogOptions,
  ConnectContext,
  Connector,
  EngineConnection,
  RowStream,
  SafetyFinding,
  ServerInfo,
  StatementLog,
  StreamOptions,
} from "./port/connector.ts";
export {
  type DialectId,
  dialectIds,
  type ResolvedTable,
  type SampleSize,
  type SampleStatement,
  type SqlDialect,
  type StatementContext,
} from "./port/dialect.ts";
export type { StatementLimits } from "./port/limits.ts";
export {
  type ColumnStructure,
  type ForeignKey,
  type ReadTables,
  type TableName,
  type TableProblem,
  type TableStructure,
  type ValueType,
  valueTypes,
  type WarehouseStructure,
} from "./port/structure.ts";
export type { ResultColumn, WarehouseRow, WarehouseValue } from "./port/values.ts";
export { type RestAnswer, type RestRequest, type RestService, sendRest } from "./rest/rest-request.ts";
export { parseServiceAddress } from "./rest/service-address.ts";
export { type StructuredRows, type StructuredValue, structureRows } from "./results/structure-rows.ts";
export { type ColumnToRecognise, recogniseSensitive } from "./sensitive/recognise-sensitive.ts";
export { redactSensitive } from "./sensitive/redact-values.ts";
export type { SensitiveKind } from "./sensitive/sensitive-kinds.ts";
export { StatementTimeoutError } from "./sessions/timeout-failure.ts";
export { isPattern, joinName } from "./settings/name-pattern.ts";
export { openWarehouse } from "./warehouse/open-warehouse.ts";
export { isLimiting, readTablesOf, type ScopedTable, ScopePatterns } from "./warehouse/scope.ts";
export type { ColumnName } from "./warehouse/sensitive-columns.ts";
export { readSettingsRules, type SettingsRules } from "./warehouse/settings-rules.ts";
export type { QueryOptions, QueryResult, TableScope, Warehouse } from "./warehouse/warehouse.ts";
export type { OpenWarehouseOptions } from "./warehouse/warehouse-options.ts";
