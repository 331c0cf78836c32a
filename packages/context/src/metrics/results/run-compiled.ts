import type { CompiledQuery, MetricColumn, MetricRefusal } from "@bridle/semantic";
import { type QueryResult, type StructuredValue, structureRows, type Warehouse } from "@bridle/warehouse";
import { findDialect } from "../../facts/find-dialect.ts";
import type { MetricPlan, QueryContext } from "../metric-query-types.ts";
import { hasWord } from "../model-table.ts";
import type { AnswerParts } from "./answer-cache.ts";
import { exactnessRefusal } from "./exactness-refusal.ts";

export function planOf(
  { sql, explanation, assumptions, columns, totals }: CompiledQuery,
  connection: string,
): MetricPlan {
  return { connection, sql, explanation, assumptions, columns, ...(totals && { totalsSql: totals.sql }) };
}

interface RunOptions {
  readonly maxRows: number | undefined;
  /** The statements of the models that the query reads. */
  readonly written: readonly string[];
}

/** Runs the statements. Returns a refusal if a result would contain digests of sensitive values or a wrong number. */
export async function runCompiled(
  compiled: CompiledQuery,
  warehouse: Warehouse,
  context: QueryContext,
  options: RunOptions,
): Promise<AnswerParts | MetricRefusal> {
  try {
    return await runStatements(compiled, warehouse, context, options);
  } catch (error) {
    const refusal = exactnessRefusal(error);
    if (refusal === undefined) throw error;
    return refusal;
  }
}

async function runStatements(
  { sql, columns, totals }: CompiledQuery,
  warehouse: Warehouse,
  { scope, signal }: QueryContext,
  { maxRows, written }: RunOptions,
): Promise<AnswerParts | MetricRefusal> {
  const result = await warehouse.query(sql, { scope, signal, limits: { maxRows } });
  const sensitive = sensitiveIn(sql, result, warehouse) ?? namedIn(written, result);
  if (sensitive !== undefined) {
    const why = `The query needs the sensitive column ${sensitive}, but its values are replaced by digests.`;
    return { reason: "unsupported", message: `${why} Leave it out.` };
  }
  const sums = totals && (await warehouse.query(totals.sql, { scope, signal }));
  const [total] = sums === undefined ? [] : toValues(sums, totals?.columns ?? []);
  const names = result.tables.map(({ schema, table }) => `${schema}.${table}`);
  const { truncated, filtered, durationMs } = result;
  return { rows: toValues(result, columns), totals: total, truncated, tables: names, filtered, durationMs };
}

function sensitiveIn(sql: string, { masked }: QueryResult, warehouse: Warehouse): string | undefined {
  const dialect = findDialect(warehouse);
  return masked.find((name) => sql.includes(dialect.quoteIdentifier(name.split(".").at(-1) ?? name)));
}

function namedIn(written: readonly string[], { masked }: QueryResult): string | undefined {
  return masked.find((column) => written.some((sql) => hasWord(sql, column.split(".").at(-1) ?? column)));
}

function toValues(result: QueryResult, columns: CompiledQuery["columns"]): readonly (readonly StructuredValue[])[] {
  return structureRows(result).rows.map((row) => row.map((value, index) => toValue(value, columns[index]?.type)));
}

/**
 * Converts a value to the column's type: engines without booleans return bits, and PostgreSQL and MariaDB return decimals for sums of
 * integers.
 */
function toValue(value: StructuredValue, type: MetricColumn["type"] | undefined): StructuredValue {
  if (type === "boolean" && (value === 0 || value === 1)) return value === 1;
  const isWhole = type === "integer" && typeof value === "string" && /^-?\d+$/.test(value);
  return isWhole && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}
