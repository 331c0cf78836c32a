import { bigquerySpelling } from "./bigquery.ts";
import { clickhouseSpelling } from "./clickhouse.ts";
import { duckdbSpelling } from "./duckdb.ts";
import type { MetricDialect, MetricDialectId } from "./metric-dialect.ts";
import { mysqlSpelling } from "./mysql.ts";
import { postgresSpelling } from "./postgres.ts";
import { snowflakeSpelling } from "./snowflake.ts";
import { sqliteSpelling } from "./sqlite.ts";
import { sqlserverSpelling } from "./sqlserver.ts";

export const metricDialects: Readonly<Record<MetricDialectId, MetricDialect>> = {
  sqlite: sqliteSpelling,
  duckdb: duckdbSpelling,
  postgres: postgresSpelling,
  mysql: mysqlSpelling,
  clickhouse: clickhouseSpelling,
  sqlserver: sqlserverSpelling,
  snowflake: snowflakeSpelling,
  bigquery: bigquerySpelling,
};
