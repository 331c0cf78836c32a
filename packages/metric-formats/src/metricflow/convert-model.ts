/** Converts one MetricFlow semantic model, without its joins and metrics. */
import {
  MetricRefusalError,
  type ModelDimension,
  type ModelMeasure,
  parseExpression,
  type SemanticModel,
  timeGrains,
} from "@bridle/semantic/model-parts";
import { type ImportReport, refuseImport } from "../import-report.ts";
import {
  metricFlowGrains,
  type SourceDimension,
  type SourceEntity,
  type SourceMeasure,
  type SourceModel,
} from "./metricflow-schema.ts";
import type { MetricFlowModel } from "./read-project.ts";

export interface MetricFlowOptions {
  /** The tables of dbt's models and sources by name; `a.b` for a source. Default: the table with the same name in `schema`. */
  readonly tables?: Readonly<Record<string, string>> | undefined;
  /** The schema of tables that `tables` does not list. */
  readonly schema?: string | undefined;
  /** The values of `$name` in node_relation. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
}

export function convertModel(
  model: MetricFlowModel,
  options: MetricFlowOptions,
  report: ImportReport,
): SemanticModel | undefined {
  const { source, at } = model;
  const table = report.attempt(at.subject("semantic model"), at.position, () => relationTable(source, options));
  if (table === undefined) return undefined;
  const dimensions = dimensionsOf(model, report);
  const measures = model.measures.flatMap(({ value, at: place }) => {
    const found = report.attempt(place.subject("measure"), place.position, () => measureOf(value, model));
    return found ? [found] : [];
  });
  const key = model.entities.find(({ value }) => value.type === "primary")?.value;
  const primary = key && columnOf(key);
  const time = source.defaults?.agg_time_dimension;
  return {
    name: source.name,
    table,
    ...(primary !== undefined && { primary_key: [primary] }),
    dimensions,
    measures,
    ...(time && dimensions.some(({ name }) => name === time) && { default_time: time }),
    ...plainWords(source),
  };
}

/** Returns the column of an entity, if the entity is not an expression. */
export function columnOf({ name, expr = name }: Pick<SourceEntity, "name" | "expr">): string | undefined {
  return /^[A-Za-z_]\w*$/.test(expr) ? expr : undefined;
}

export function relationTable(
  { model, node_relation: relation }: Pick<SourceModel, "name" | "model" | "node_relation">,
  options: MetricFlowOptions,
): string {
  if (relation) {
    const { database, schema_name: schema, alias, relation_name: whole } = relation;
    const parts = whole ?? [database, schema, alias].filter((part) => part !== undefined).join(".");
    return substituted(parts.replaceAll('"', ""), options.variables ?? {});
  }
  if (model === undefined) return refuseImport("It names no model and no node_relation. Add one.");
  const inner = model.replace(/^\{\{\s*|\s*\}\}$/g, "");
  const call = /^(ref|source)\((.*)\)$/.exec(inner);
  const names = [...(call?.[2] ?? "").matchAll(/(?:^|,)\s*['"]([^'"]+)['"]\s*(?=,|$)/g)].map((match) => match[1] ?? "");
  const key = call?.[1] === "source" ? names.join(".") : names.at(-1);
  if (!key) return refuseImport(`"${model}" is not a ref or source with plain names. Write ref('name').`);
  const known = options.tables?.[key];
  if (known !== undefined) return known;
  return key.includes(".") || !options.schema ? key : `${options.schema}.${key}`;
}

export function substituted(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{?([A-Za-z_]\w*)\}?/g, (_, name: string) => {
    return variables[name] ?? refuseImport(`The variable $${name} has no value. Pass it to the import.`);
  });
}

/** Returns the dimensions, and the entities as dimensions. */
function dimensionsOf(model: MetricFlowModel, report: ImportReport): ModelDimension[] {
  const own = model.dimensions.flatMap(({ value, at }) => {
    const found = report.attempt(at.subject("dimension"), at.position, () => dimensionOf(value));
    return found ? [found] : [];
  });
  const entities = model.entities.flatMap(({ value, at }) => {
    if (own.some(({ name }) => name === value.name)) return [];
    const found = report.attempt(at.subject("entity"), at.position, (): ModelDimension => {
      if (value.role !== undefined || value.entity !== undefined)
        refuseImport("Roles of entities are not supported. Give the entity the name of the role.");
      return { name: value.name, ...exprOf(value.name, value.expr), ...plainWords(value) };
    });
    return found ? [found] : [];
  });
  return [...own, ...entities];
}

function dimensionOf({ name, type, expr, type_params: params, ...words }: SourceDimension): ModelDimension {
  if (metricFlowGrains.some((each) => each === name))
    refuseImport("It has the name of a grain, which queries read as the grain. Rename it.");
  const basic = { name, ...exprOf(name, expr), ...plainWords(words) };
  if (type === "categorical") return basic;
  const grain = timeGrains.find((each) => each === params?.time_granularity);
  return grain ? { ...basic, type: "time", grain } : { ...basic, type: "timestamp" };
}

const aggregations = {
  sum: "sum",
  min: "min",
  max: "max",
  average: "avg",
  count_distinct: "count_distinct",
  count: "count",
  median: "median",
  sum_boolean: "sum",
  percentile: "median",
} as const;

function measureOf(source: SourceMeasure, model: MetricFlowModel): ModelMeasure {
  const { name, agg, agg_params: params, non_additive_dimension: nonAdditive } = source;
  if (agg === "percentile") {
    const { percentile, use_discrete_percentile: discrete, use_approximate_percentile: rough } = params ?? {};
    if (percentile !== 0.5 || discrete || rough)
      refuseImport("Only the continuous percentile 0.5 can be computed, which is the median. Use median.");
  }
  const semi = nonAdditive && {
    semi_additive: {
      time: nonAdditive.name,
      pick: nonAdditive.window_choice === "max" ? ("last" as const) : ("first" as const),
      ...(nonAdditive.window_groupings?.length && { per: groupingColumns(nonAdditive.window_groupings, model) }),
    },
  };
  return { name, agg: aggregations[agg], ...measureExpr(source), ...semi, ...plainWords(source) };
}

function measureExpr({ name, agg, expr = name }: SourceMeasure): Pick<ModelMeasure, "expr"> {
  checkExpression(expr);
  if (agg === "count" && /^(\*|\d+|true)$/i.test(expr)) return {};
  if (agg === "sum_boolean") return { expr: `case when ${expr} then 1 else 0 end` };
  return agg === "count" || expr !== name ? { expr } : {};
}

function groupingColumns(names: readonly string[], model: MetricFlowModel): string[] {
  return names.map((name) => {
    const found = [...model.entities, ...model.dimensions].find(({ value }) => value.name === name)?.value;
    return (
      (found && columnOf(found)) ??
      refuseImport(`The window grouping "${name}" is not a column of the table. Name one.`)
    );
  });
}

function exprOf(name: string, expr: string | undefined): { expr?: string } {
  if (expr === undefined || expr === name) return {};
  checkExpression(expr);
  return { expr };
}

/** Refuses a string that is not a valid expression. */
export function checkExpression(expr: string): void {
  if (expr === "*") return;
  try {
    parseExpression(expr);
  } catch (error) {
    if (!(error instanceof MetricRefusalError)) throw error;
    refuseImport(error.message);
  }
}

/** Returns descriptions, without those that a template computes. */
export function plainWords({
  description,
  label,
}: {
  readonly description?: string | undefined;
  readonly label?: string | undefined;
}): Pick<SemanticModel, "description" | "label"> {
  const isText = (value: string | undefined) => value !== undefined && value.trim() !== "" && !value.includes("{{");
  return {
    ...(description !== undefined && isText(description) && { description: description.trim() }),
    ...(label !== undefined && isText(label) && { label: label.trim() }),
  };
}
