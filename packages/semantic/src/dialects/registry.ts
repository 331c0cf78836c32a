import { duckdbSpelling } from "./duckdb.ts";
import type { MetricDialect, MetricDialectId } from "./metric-dialect.ts";
import { mysqlSpelling } from "./mysql.ts";
import { postgresSpelling } from "./postgres.ts";
import { sqliteSpelling } from "./sqlite.ts";

export const metricDialects: Readonly<Record<MetricDialectId, MetricDialect>> = {
  sqlite: sqliteSpelling,
  duckdb: duckdbSpelling,
  postgres: postgresSpelling,
  mysql: mysqlSpelling,
};
