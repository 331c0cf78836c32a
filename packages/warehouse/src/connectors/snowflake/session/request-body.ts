import type { StatementLimits } from "../../../port/limits.ts";
import { type SnowflakeConfig, storedName } from "../snowflake-settings.ts";

/** Session parameters of each statement. They make the format of values independent of the user's settings. */
const parameters = {
  MULTI_STATEMENT_COUNT: "1",
  QUERY_TAG: "bridle",
  TIMEZONE: "UTC",
  BINARY_OUTPUT_FORMAT: "HEX",
  DATE_OUTPUT_FORMAT: "YYYY-MM-DD",
  TIME_OUTPUT_FORMAT: "HH24:MI:SS.FF9",
  TIMESTAMP_OUTPUT_FORMAT: 'YYYY-MM-DD"T"HH24:MI:SS.FF9TZH:TZM',
  TIMESTAMP_NTZ_OUTPUT_FORMAT: 'YYYY-MM-DD"T"HH24:MI:SS.FF9',
  TIMESTAMP_LTZ_OUTPUT_FORMAT: 'YYYY-MM-DD"T"HH24:MI:SS.FF9TZH:TZM',
  TIMESTAMP_TZ_OUTPUT_FORMAT: 'YYYY-MM-DD"T"HH24:MI:SS.FF9TZH:TZM',
} as const;

/** Returns the body of a request that runs a statement. Names are sent as Snowflake stores them. */
export function requestBody(config: SnowflakeConfig, sql: string, { maxRows, timeoutMs }: StatementLimits) {
  const { database, schema, warehouse, role } = config;
  return {
    statement: sql,
    timeout: Math.max(1, Math.ceil(timeoutMs / 1_000)),
    database: storedName(database),
    ...(schema === undefined ? {} : { schema: storedName(schema) }),
    ...(warehouse === undefined ? {} : { warehouse: storedName(warehouse) }),
    ...(role === undefined ? {} : { role: storedName(role) }),
    // If one row more than requested arrives, the result has to be cut. The limit applies to the result, not to the rows that the statement
    // reads.
    parameters: Number.isSafeInteger(maxRows) ? { ...parameters, ROWS_PER_RESULTSET: String(maxRows + 1) } : parameters,
  };
}
