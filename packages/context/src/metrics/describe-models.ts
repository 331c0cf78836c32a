import type { SemanticModel } from "@bridle/semantic";
import type { PlacedModel } from "./model-table.ts";

/** A measure or metric of a model. */
export interface ListedMeasure {
  /** `model.name`, as queries write it. */
  readonly name: string;
  /** The formula in words, such as `sum of amount` or `ratio of orders.revenue and orders.count`. */
  readonly formula: string;
  readonly description?: string | undefined;
}

/** A model in words, for users and agents. */
export interface DescribedModel {
  readonly name: string;
  readonly connection: string;
  /** `schema.table`; undefined if its rows come from a statement. */
  readonly table?: string | undefined;
  /** The statement that returns the rows of the model. */
  readonly sql?: string | undefined;
  readonly description?: string | undefined;
  readonly measures: readonly ListedMeasure[];
  /** `model.name` with its description. */
  readonly dimensions: readonly {
    readonly name: string;
    readonly type?: string | undefined;
    readonly description?: string | undefined;
  }[];
  readonly segments: readonly { readonly name: string; readonly description?: string | undefined }[];
  /** Joins to other models, such as `many-to-one to customers`. */
  readonly joins: readonly { readonly name: string; readonly to: string; readonly relationship: string }[];
  readonly defaultTime?: string | undefined;
}

export function describeModel({ model, connection, table }: Omit<PlacedModel, "tables" | "kind">): DescribedModel {
  const full = (name: string) => `${model.name}.${name}`;
  const { dimensions = [], segments = [], joins = [] } = model;
  return {
    name: model.name,
    connection,
    table: table && `${table.schema}.${table.table}`,
    sql: model.sql,
    description: model.description,
    measures: measuresOf(model),
    dimensions: dimensions.map(({ name, type, description }) => ({ name: full(name), type, description })),
    segments: segments.map(({ name, description }) => ({ name: full(name), description })),
    joins: joins.map(({ name, to, relationship }) => ({
      name: full(name ?? to),
      to,
      relationship: relationship.replaceAll("_", "-"),
    })),
    defaultTime: model.default_time === undefined ? undefined : full(model.default_time),
  };
}

function measuresOf({ name: model, measures = [], metrics = [] }: SemanticModel): readonly ListedMeasure[] {
  return [
    ...measures.map((measure) => {
      const { name, filters, semi_additive: semi, description } = measure;
      const when = filters === undefined ? "" : `, where ${filters.map(formatFilter).join(" and ")}`;
      const at = semi === undefined ? "" : `, the ${semi.pick} of ${semi.time}`;
      return {
        name: `${model}.${name}`,
        formula: `${inputOf(measure)}${when}${at}${formatWindow(measure)}`,
        description,
      };
    }),
    ...metrics.map((metric) => ({
      name: `${model}.${metric.name}`,
      formula: formatMetric(metric),
      description: metric.description,
    })),
  ];
}

type Measure = NonNullable<SemanticModel["measures"]>[number];
type Metric = NonNullable<SemanticModel["metrics"]>[number];

function inputOf({ name, agg, expr }: Measure): string {
  if (agg === undefined) return expr ?? name;
  return agg === "count" && expr === undefined ? "count of rows" : `${agg.replaceAll("_", " ")} of ${expr ?? name}`;
}

function formatWindow(entry: Measure | Metric): string {
  const window = "window" in entry ? entry.window : undefined;
  return window === undefined ? "" : `, over ${window.count} ${window.grain}${window.count === 1 ? "" : "s"}`;
}

function formatMetric(metric: Metric): string {
  const where = metric.filters === undefined ? "" : `, where ${metric.filters.map(formatFilter).join(" and ")}`;
  return `${formulaOf(metric)}${where}${formatWindow(metric)}`;
}

function formulaOf(metric: Metric): string {
  switch (metric.type) {
    case "ratio":
      return `${metric.numerator} / ${metric.denominator}`;
    case "derived":
      return metric.expr;
    case "conversion":
      return `conversion from ${metric.base} to ${metric.conversion}`;
    case "cumulative":
      return `cumulative ${metric.measure}`;
    case "offset":
      return metric.offset
        ? `${metric.measure}, ${metric.offset.count} ${metric.offset.grain} before`
        : `${metric.measure} at the start of the ${metric.offset_to_grain}`;
    default:
      return `${metric.type === "share" ? "share of " : ""}${metric.measure}`;
  }
}

function formatFilter(filter: NonNullable<Metric["filters"]>[number]): string {
  return typeof filter === "string" ? filter : JSON.stringify(filter);
}
