/** Normalizes models, so that models with the same meaning are equal. */
import type { MetricFilter, SemanticModel } from "@bridle/semantic";
import { mapExpression, parseExpression, printExpression } from "@bridle/semantic/model-parts";
import { filterExpression } from "../src/filter-expression.ts";

const spelt = (text: string) => printExpression(parseExpression(text));

export function normalModels(models: readonly SemanticModel[]): readonly SemanticModel[] {
  return models.map((model) => {
    const filtersOf = ({ filters }: { readonly filters?: readonly MetricFilter[] }) =>
      filters === undefined
        ? {}
        : { filters: [printExpression(filterExpression(filters, model) ?? parseExpression("true"))] };
    const whole = (name: string) => (name.includes(".") ? name : `${model.name}.${name}`);
    const { dimensions, measures, metrics, joins, ...rest } = model;
    return {
      ...rest,
      ...(joins?.length && { joins: joins.map((join) => ({ ...join, name: join.name ?? join.to })) }),
      ...(dimensions?.length && {
        dimensions: dimensions.map((each) => (each.expr === undefined ? each : { ...each, expr: spelt(each.expr) })),
      }),
      ...(measures?.length && {
        measures: measures.map((each) => {
          const expr = each.expr ?? (each.agg === "count" ? undefined : each.name);
          return { ...each, ...(expr !== undefined && { expr: spelt(expr) }), ...filtersOf(each) };
        }),
      }),
      ...(metrics?.length && {
        metrics: metrics.map((each) => {
          const metric = { ...each, ...filtersOf(each) };
          if (metric.type === "ratio")
            return { ...metric, numerator: whole(metric.numerator), denominator: whole(metric.denominator) };
          if (metric.type === "cumulative" || metric.type === "simple" || metric.type === "offset")
            return { ...metric, measure: whole(metric.measure) };
          if (metric.type !== "derived") return metric;
          const named = mapExpression(parseExpression(metric.expr), (part) =>
            part.kind === "name" && part.path.length === 1 ? { ...part, path: [model.name, ...part.path] } : undefined,
          );
          return { ...metric, expr: printExpression(named) };
        }),
      }),
    };
  });
}
