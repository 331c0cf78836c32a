/** The types of the tables, models and queries that the generator makes and the naive evaluator reads. */
import type {
  FilterCondition,
  MeasureAggregation,
  MetricFilter,
  ModelDimension,
  ModelJoin,
  ModelMetric,
  SemanticModel,
} from "../../src/models/model-schema.ts";
import { semanticModelSchema } from "../../src/models/model-schema.ts";
import type { MetricQuery } from "../../src/query/query-schema.ts";
import type { TestTable } from "../table-data.ts";
import { exactText, type NaiveValue } from "./evaluator/naive-values.ts";

export type WorldRow = Readonly<Record<string, NaiveValue>>;

/** `isText`: the model or query writes the filter as an expression. Only such a filter can have `not`. */
export type NaiveFilter = (
  | FilterCondition
  | { readonly or: readonly NaiveFilter[] }
  | { readonly and: readonly NaiveFilter[] }
  | { readonly not: NaiveFilter }
  | { readonly segment: string }
) & { readonly isText?: boolean };

export interface WorldMeasure {
  readonly name: string;
  readonly agg: MeasureAggregation;
  readonly expr?: string;
  readonly filters?: readonly NaiveFilter[];
  readonly semi_additive?: { readonly time: string; readonly pick: "first" | "last"; readonly per?: string[] };
}

type WithFilters<Metric> = Metric extends unknown
  ? Omit<Metric, "filters"> & { readonly filters?: readonly NaiveFilter[] }
  : never;
export type WorldMetric = WithFilters<ModelMetric>;

export interface WorldModel {
  readonly name: string;
  readonly key: readonly string[];
  /** The dimension with the time of a row. */
  readonly time?: string;
  readonly columns: TestTable["columns"];
  readonly rows: readonly WorldRow[];
  readonly joins: readonly WorldJoin[];
  readonly dimensions: readonly ModelDimension[];
  readonly measures: readonly WorldMeasure[];
  readonly metrics: readonly WorldMetric[];
  readonly segments: readonly { readonly name: string; readonly filter: NaiveFilter }[];
}

export type WorldJoin = ModelJoin & {
  readonly on: [string, string][];
  /** A column whose value is at least that of the other model's column `from`, and less than that of its column `below`. */
  readonly range?: { readonly column: string; readonly from: string; readonly below: string };
};

export type World = ReadonlyMap<string, WorldModel>;

export type WorldQuery = Omit<MetricQuery, "filters" | "having" | "via" | "measures"> & {
  readonly measures: string[];
  readonly filters: readonly NaiveFilter[];
  readonly having: readonly NaiveFilter[];
};

export function tableOfWorld({ name, columns, rows }: WorldModel): TestTable {
  const cells = rows.map((row) => Object.keys(columns).map((column) => cellOf(row[column] ?? null)));
  return { name: `t_${name}`, columns, key: [], rows: cells };
}

function cellOf(value: NaiveValue): TestTable["rows"][number][number] {
  if (typeof value !== "object" || value === null) return value;
  return value.scale === 0 ? value.digits : Number(exactText(value));
}

export function declaredModel(model: WorldModel): SemanticModel {
  const withFilters = <Item extends { readonly filters?: readonly NaiveFilter[] }>(item: Item) =>
    item.filters ? { ...item, filters: item.filters.map(writeFilter) } : item;
  return semanticModelSchema.parse({
    name: model.name,
    table: `t_${model.name}`,
    primary_key: model.key,
    ...(model.time !== undefined && { default_time: model.time }),
    joins: model.joins.map(declaredJoin),
    dimensions: model.dimensions,
    measures: model.measures.map(withFilters),
    metrics: model.metrics.map(withFilters),
    segments: model.segments.map(({ name, filter }) => ({ name, filter: writeFilter(filter) })),
  });
}

function declaredJoin({ range, on, ...join }: WorldJoin): ModelJoin {
  if (!range) return { ...join, on };
  const pairs = on.map(([local, remote]) => `{from}.${local} = {to}.${remote}`);
  const { column, from, below } = range;
  const bounds = [`{to}.${from} <= {from}.${column}`, `{from}.${column} < {to}.${below}`];
  return { ...join, on: [...pairs, ...bounds].join(" AND ") };
}

export function declaredQuery({ filters, having, ...query }: WorldQuery): MetricQuery {
  return {
    ...query,
    measures: [...query.measures],
    ...(filters.length > 0 && { filters: filters.map(writeFilter) }),
    ...(having.length > 0 && { having: having.map(writeFilter) }),
  };
}

function writeFilter({ isText, ...filter }: NaiveFilter): MetricFilter {
  if (isText === true) return textOf(filter);
  if ("or" in filter) return { or: filter.or.map(writeFilter) };
  if ("and" in filter) return { and: filter.and.map(writeFilter) };
  if ("not" in filter) return textOf(filter);
  return filter;
}

function textOf(filter: NaiveFilter): string {
  if ("or" in filter) return filter.or.map((each) => `(${textOf(each)})`).join(" or ");
  if ("and" in filter) return filter.and.map((each) => `(${textOf(each)})`).join(" and ");
  if ("segment" in filter) throw new Error("A text names no segment.");
  if ("not" in filter) return `not (${textOf(filter.not)})`;
  const { op, value } = filter;
  const field = /^[\w.]+$/.test(filter.field) ? filter.field : `(${filter.field})`;
  if (op === "is null" || op === "is not null") return `${field} ${op}`;
  if (op === "contains") return `contains(${field}, ${literal(value)})`;
  const written = Array.isArray(value) ? `(${value.map(literal).join(", ")})` : literal(value);
  return `${field} ${op} ${written}`;
}

function literal(value: unknown): string {
  return typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value);
}
