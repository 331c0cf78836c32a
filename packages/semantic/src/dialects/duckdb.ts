import type { MetricDialect } from "./metric-dialect.ts";
import { postgresSpelling } from "./postgres.ts";
import { singleQuoted } from "./spelling.ts";

/** DuckDB spells most of it as PostgreSQL does. */
export const duckdbSpelling: MetricDialect = {
  ...postgresSpelling,
  id: "duckdb",
  nullOf: () => "NULL",
  castTypes: { integer: "BIGINT", double: "DOUBLE", text: "VARCHAR", date: "DATE", timestamp: "TIMESTAMP" },
  localTime(sql, zone, type) {
    const moment = type === "timestamptz" ? sql : `CAST(${sql} AS TIMESTAMP) AT TIME ZONE 'UTC'`;
    return `(${moment} AT TIME ZONE ${singleQuoted(zone)})`;
  },
  median: (sql) => `MEDIAN(CAST(${sql} AS DOUBLE))`,
  functions: {
    ...postgresSpelling.functions,
    text_order: ([text = ""]) => text,
    round: ([operand, digits = "0"]) => `ROUND(${operand}, ${digits})`,
  },
};
