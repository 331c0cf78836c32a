import type { MetricDialectId } from "../dialects/metric-dialect.ts";
import { metricDialects } from "../dialects/registry.ts";
import { writeStatement } from "../dialects/write-statement.ts";
import { formatOfMeasure } from "../metric-kinds/expand-measure.ts";
import type { ModelSet } from "../models/model-set.ts";
import type { PeriodsWithin, PlanContext } from "../plan/plan-context.ts";
import { planContext } from "../plan/query-keys.ts";
import { metricQuerySchema, type ParsedMetricQuery } from "../query/query-schema.ts";
import { type MetricRefusal, MetricRefusalError } from "../refusals/metric-refusal.ts";
import type { MetricColumn } from "../result/result-columns.ts";
import { explainQuery } from "./explain-query.ts";
import { GroupMetricPlanner } from "./group-metrics.ts";
import { QueryPlanner } from "./plan-query.ts";
import { periodsOfSpine } from "./read-axis.ts";
import { findSharedDenominators } from "./shared-denominators.ts";

export interface CompiledStatement {
  readonly sql: string;
  readonly columns: readonly MetricColumn[];
}

export interface CompiledQuery extends CompiledStatement {
  readonly kind: "compiled";
  /** Computes the measures over all rows, as one row, if the query asks for totals. */
  readonly totals: CompiledStatement | undefined;
  /** Sentences that explain how the result is computed. */
  readonly explanation: readonly string[];
  /** Sentences that list the assumptions of the answer. */
  readonly assumptions: readonly string[];
}

export interface RefusedQuery {
  readonly kind: "refused";
  readonly refusal: MetricRefusal;
}

/**
 * Compiles a query to SQL for one engine, or returns the reason why the query has no correct answer. Does not throw for an invalid query.
 */
export function compileMetricQuery(
  models: ModelSet,
  query: unknown,
  dialect: MetricDialectId,
): CompiledQuery | RefusedQuery {
  const parsed = metricQuerySchema.safeParse(query);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue?.path.join(".") || "query";
    return {
      kind: "refused",
      refusal: { reason: "invalid_query", message: `${place}: ${issue?.message}. Correct the query.` },
    };
  }
  try {
    return compile(models, parsed.data, dialect);
  } catch (error) {
    if (error instanceof MetricRefusalError) return { kind: "refused", refusal: error.refusal };
    throw error;
  }
}

function compile(
  models: ModelSet,
  query: ParsedMetricQuery,
  id: MetricDialectId,
  within?: PeriodsWithin,
): CompiledQuery {
  const dialect = metricDialects[id];
  const hasMedian = dialect.median("x") !== undefined;
  const groups = new GroupMetricPlanner(models, (inner) => new QueryPlanner(inner, hasMedian).plan(), query.timezone);
  const context = planContext(models, query, groups, within);
  const { statement, columns } = new QueryPlanner(context, hasMedian).plan();
  return {
    kind: "compiled",
    sql: writeStatement(statement, dialect),
    columns: columns.map((column) => withFormat(models, column)),
    totals: query.totals ? compileTotals(context, id) : undefined,
    explanation: explainQuery(context),
    assumptions: [...context.assumptions, ...assumptionsOfRatios(models, query)],
  };
}

/**
 * Returns the assumptions of ratios. Because a ratio groups its denominator by the same dimensions as its numerator, a retention rate by
 * the numerator's month is 100 % in each group.
 */
function assumptionsOfRatios(models: ModelSet, { measures, dimensions = [] }: ParsedMetricQuery): readonly string[] {
  if (dimensions.length === 0) return [];
  const shared = measures.flatMap((measure) =>
    findSharedDenominators(models, typeof measure === "string" ? measure : measure.measure),
  );
  const sentences = shared.map(
    ({ metric, denominator }) =>
      `${metric} divides by ${denominator} of the same group: every dimension of the query groups the denominator, too. It is not the share of a fixed group, such as a cohort.`,
  );
  return [...new Set(sentences)];
}

function withFormat(models: ModelSet, column: MetricColumn): MetricColumn {
  const format = column.kind === "measure" ? formatOfMeasure(models, column.source) : undefined;
  return format === undefined ? column : { ...column, format };
}

/** Compiles the same measures without dimensions. Steps after the aggregation do not change totals, but a spine leaves out rows. */
function compileTotals(context: PlanContext, id: MetricDialectId): CompiledStatement {
  const { measures, filters, timezone, weekStart, via } = context.query;
  const all: ParsedMetricQuery = {
    measures,
    ...(filters && { filters }),
    ...(timezone && { timezone }),
    ...(weekStart && { weekStart }),
    ...(via && { via }),
  };
  const { sql, columns } = compile(context.models, all, id, periodsOfSpine(context));
  return { sql, columns };
}
