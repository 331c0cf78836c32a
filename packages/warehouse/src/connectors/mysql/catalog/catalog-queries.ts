import { mysqlDialect } from "../dialect/mysql-dialect.ts";

const systemSchemas = ["information_schema", "performance_schema", "mysql", "sys"];

/** Returns the condition that keeps the given schemas, or all schemas except the server's own. */
function within(column: string, schemas: readonly string[] | undefined): string {
  const hidden = `${column} NOT IN (${systemSchemas.map(mysqlDialect.quoteText).join(", ")})`;
  if (schemas === undefined) return hidden;
  if (schemas.length === 0) return "1 = 0";
  return `${hidden} AND ${column} IN (${schemas.map(mysqlDialect.quoteText).join(", ")})`;
}

export function tablesQuery(schemas: readonly string[] | undefined): string {
  return `SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE, TABLE_COMMENT, TABLE_ROWS, ENGINE FROM information_schema.TABLES
    WHERE ${within("TABLE_SCHEMA", schemas)} AND TABLE_TYPE <> 'SEQUENCE' ORDER BY TABLE_SCHEMA, TABLE_NAME`;
}

/** Selects view definitions as the server writes them, with full names. A definition that the account may not see is empty. */
export function viewsQuery(schemas: readonly string[] | undefined): string {
  return `SELECT TABLE_SCHEMA, TABLE_NAME, VIEW_DEFINITION FROM information_schema.VIEWS WHERE ${within("TABLE_SCHEMA", schemas)}`;
}

/** Selects the columns. PRIVILEGES are those of the account and its roles. */
export function columnsQuery(schemas: readonly string[] | undefined): string {
  return `SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, DATA_TYPE, COLUMN_TYPE, IS_NULLABLE, COLUMN_COMMENT, PRIVILEGES, CHARACTER_SET_NAME
    FROM information_schema.COLUMNS WHERE ${within("TABLE_SCHEMA", schemas)} ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION`;
}

/** Selects tables in which the account may read only some columns. The catalog does not list the other columns. */
export function columnGrantsQuery(schemas: readonly string[] | undefined): string {
  return `SELECT DISTINCT TABLE_SCHEMA, TABLE_NAME FROM information_schema.COLUMN_PRIVILEGES
    WHERE ${within("TABLE_SCHEMA", schemas)} AND PRIVILEGE_TYPE = 'SELECT'`;
}

/** Selects primary and unique keys, except keys over prefixes or expressions, which do not make whole values unique. */
export function keysQuery(schemas: readonly string[] | undefined): string {
  return `SELECT TABLE_SCHEMA, TABLE_NAME, INDEX_NAME, COLUMN_NAME FROM information_schema.STATISTICS AS s
    WHERE ${within("TABLE_SCHEMA", schemas)} AND NON_UNIQUE = 0 AND SUB_PART IS NULL AND COLUMN_NAME IS NOT NULL
    ORDER BY TABLE_SCHEMA, TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX`;
}

/** Selects indexes with a part that is not a whole column. */
export function partialKeysQuery(schemas: readonly string[] | undefined): string {
  return `SELECT DISTINCT TABLE_SCHEMA, TABLE_NAME, INDEX_NAME, '' FROM information_schema.STATISTICS
    WHERE ${within("TABLE_SCHEMA", schemas)} AND NON_UNIQUE = 0 AND (SUB_PART IS NOT NULL OR COLUMN_NAME IS NULL)`;
}

export function foreignKeysQuery(schemas: readonly string[] | undefined): string {
  return `SELECT TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, COLUMN_NAME, REFERENCED_TABLE_SCHEMA, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME
    FROM information_schema.KEY_COLUMN_USAGE WHERE ${within("TABLE_SCHEMA", schemas)} AND REFERENCED_TABLE_NAME IS NOT NULL
    ORDER BY TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION`;
}

/**
 * Selects the constraints of JSON columns. In MariaDB, a JSON column is a LONGTEXT column with a constraint that its values are valid JSON.
 * Older servers do not have this catalog.
 */
export function jsonChecksQuery(schemas: readonly string[] | undefined): string {
  return `SELECT CONSTRAINT_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, CHECK_CLAUSE FROM information_schema.CHECK_CONSTRAINTS
    WHERE ${within("CONSTRAINT_SCHEMA", schemas)} AND LEVEL = 'Column' AND CHECK_CLAUSE LIKE 'json\\\\_valid(%'`;
}

/** Selects, for each table, the seconds since the last change that the engine remembers, and the size in bytes. */
export function changesQuery(schemas: readonly string[]): string {
  return `SELECT TABLE_SCHEMA, TABLE_NAME, ENGINE, UPDATE_TIME, TIMESTAMPDIFF(SECOND, UPDATE_TIME, NOW()), DATA_LENGTH, CREATE_OPTIONS
    FROM information_schema.TABLES WHERE ${within("TABLE_SCHEMA", schemas)} AND TABLE_TYPE = 'BASE TABLE'`;
}
