export { bigquerySelect } from "./engines/bigquery/bigquery-select.ts";
export { clickhouseSelect } from "./engines/clickhouse/clickhouse-select.ts";
export { type LogSyntax, logSyntaxOf, readLogTokens } from "./engines/log-rules.ts";
export { mysqlSelect } from "./engines/mysql/mysql-select.ts";
export { snowflakeSelect } from "./engines/snowflake/snowflake-select.ts";
export { lowerAscii, sqliteRules } from "./engines/sqlite/sqlite-rules.ts";
export { sqlserverSelect } from "./engines/sqlserver/sqlserver-select.ts";
export { type RefusalReason, refuseStatement, StatementRefusedError } from "./refusals/statement-refused.ts";
export { checkCondition } from "./select/check-condition.ts";
export { rewriteSelect } from "./select/rewrite-select.ts";
export { wordSet } from "./select/select-grammar.ts";
export { readTokens, type TokenRules, unquoted } from "./tokens/read-tokens.ts";
export { type SqlToken, writtenName } from "./tokens/sql-token.ts";
export { applyEdits, type TextEdit } from "./tokens/text-edits.ts";
export { TokenCursor } from "./tokens/token-cursor.ts";
export { readStatementTree, UnreadStatementError } from "./trees/read-statement-tree.ts";
export {
  allConditions,
  columnPathsOf,
  partsOf,
  type QueryTree,
  type SelectTree,
  type SourceTree,
  type SqlCall,
  type SqlNode,
  type TextSpan,
} from "./trees/statement-tree.ts";
