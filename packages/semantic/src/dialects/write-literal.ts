import type { SqlLiteral } from "../ir/sql-expression.ts";
import type { MetricDialect } from "./metric-dialect.ts";

/** Writes a constant as a SQL literal of its type. */
export function writeLiteral({ type, value, scale }: SqlLiteral, dialect: MetricDialect): string {
  if (value === null) return dialect.nullOf?.(type) ?? "NULL";
  switch (type) {
    case "text":
      return dialect.quoteText(value);
    case "date":
      return dialect.date(value);
    case "timestamp":
      return dialect.timestamp(value);
    case "boolean":
      if (dialect.hasBooleans === false) return `CAST(${value === "true" ? 1 : 0} AS BIT)`;
      return value === "true" ? "TRUE" : "FALSE";
    case "decimal":
      return dialect.decimal?.(value, scale ?? 0) ?? value;
    default:
      return value;
  }
}
