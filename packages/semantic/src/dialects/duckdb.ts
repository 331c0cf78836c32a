import type { MetricDialect } from "./metric-dialect.ts";
import { postgresSpelling } from "./postgres.ts";
import { simpleLower, simpleUpper, singleQuoted } from "./spelling.ts";

/** Most of DuckDB's spelling is PostgreSQL's. */
export const duckdbSpelling: MetricDialect = {
  ...postgresSpelling,
  id: "duckdb",
  nullOf: () => "NULL",
  // Converts the value to plain text, because an enumeration is ordered by its declaration, and a column may have a case-insensitive
  // collation.
  stored: (sql, type) => (type === "text" ? `(CAST(${sql} AS VARCHAR) COLLATE C)` : sql),
  castTypes: { integer: "BIGINT", double: "DOUBLE", text: "VARCHAR", date: "DATE", timestamp: "TIMESTAMP" },
  localTime(sql, zone, type) {
    const moment = type === "timestamptz" ? sql : `CAST(${sql} AS TIMESTAMP) AT TIME ZONE 'UTC'`;
    return `(${moment} AT TIME ZONE ${singleQuoted(zone)})`;
  },
  median: (sql) => `MEDIAN(CAST(${sql} AS DOUBLE))`,
  functions: {
    ...postgresSpelling.functions,
    text_order: ([text = ""]) => text,
    lower: ([text = ""]) => simpleLower(text, (each) => `LOWER(${each})`),
    upper: ([text = ""]) => simpleUpper(text, (each) => `UPPER(${each})`),
    // Without the second argument, TRIM also removes other white space.
    trim: ([text]) => `TRIM(${text}, ' ')`,
    days_between: ([start, end]) => `DATE_DIFF('day', ${start}, ${end})`,
    seconds_of: ([time]) => `DATE_DIFF('second', TIMESTAMP '0001-01-01 00:00:00', ${time})`,
    whole_quotient: ([operand, divisor]) => `(${operand} // ${divisor})`,
  },
};
