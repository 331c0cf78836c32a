/** Writes models' measures and metrics as expressions with aggregations, for formats that have no other form. */
import {
  isComposed,
  type MeasureAggregation,
  type MetricFilter,
  type ModelMeasure,
  type ModelMetric,
  mapExpression,
  namesInExpression,
  type ParsedExpression,
  parseExpression,
  type SemanticModel,
} from "@bridle/semantic/model-parts";
import { refuseExport } from "./export-report.ts";
import { filterExpression } from "./filter-expression.ts";
import type { PlainModel } from "./plain-models.ts";

/** An expression, and the models whose rows its aggregations read. */
export interface MetricFormulaText {
  readonly expression: ParsedExpression;
  readonly owners: ReadonlyMap<ParsedExpression, SemanticModel>;
}

const aggregations: readonly MeasureAggregation[] = ["count", "sum", "avg", "min", "max", "median"];
const one: ParsedExpression = { kind: "literal", type: "integer", value: "1" };

export class MetricFormulas {
  readonly #models: ReadonlyMap<string, PlainModel>;
  readonly #owners = new Map<ParsedExpression, SemanticModel>();

  readonly #open = new Set<ModelMetric>();

  constructor(models: readonly PlainModel[]) {
    this.#models = new Map(models.map((model) => [model.name, model]));
  }

  /** Writes a measure. Throws an ExportRefusalError. */
  ofMeasure(model: SemanticModel, measure: ModelMeasure, filters: readonly MetricFilter[] = []): MetricFormulaText {
    if (measure.semi_additive) refuseExport("It is semi-additive, which an expression cannot state.");
    const arg = measureArgument(measure);
    const all = [...(measure.filters ?? []), ...filters];
    return this.#aggregation(model, measure.agg, arg && onlyColumns(arg, model, false), all);
  }

  #aggregation(
    model: SemanticModel,
    agg: MeasureAggregation,
    arg: ParsedExpression | undefined,
    filters: readonly MetricFilter[],
  ): MetricFormulaText {
    const condition = filterExpression(filters, model);
    const when = condition && onlyColumns(condition, model);
    const whole: ParsedExpression | undefined = when
      ? { kind: "case", branches: [{ when, then: arg ?? one }], otherwise: undefined }
      : arg;
    const isDistinct = agg === "count_distinct";
    const name = isDistinct ? "count" : agg;
    const call: ParsedExpression = { kind: "call", name, args: whole ? [whole] : [], isDistinct };
    this.#owners.set(call, model);
    return { expression: call, owners: this.#owners };
  }

  /** Writes an aggregation within an expression; undefined if the part is not an aggregation. */
  #inline(part: ParsedExpression, home: SemanticModel, filters: readonly MetricFilter[]): ParsedExpression | undefined {
    const agg = part.kind === "call" ? aggregations.find((each) => each === part.name) : undefined;
    if (part.kind !== "call" || agg === undefined) return undefined;
    const firsts = namesInExpression(part).flatMap(([first = "", ...rest]) => (rest.length > 0 ? first : []));
    const owner = this.#models.get(firsts[0] ?? home.name) ?? home;
    if (owner !== home && filters.length > 0)
      refuseExport(`Its filters hold for rows of ${owner.name} too, which an expression cannot state.`);
    const [arg] = part.args;
    const own = arg && onlyColumns(arg, owner);
    return this.#aggregation(owner, part.isDistinct ? "count_distinct" : agg, own, filters).expression;
  }

  ofMetric(model: PlainModel, metric: ModelMetric, filters: readonly MetricFilter[] = []): MetricFormulaText {
    const all = [...filters, ...(metric.filters ?? [])];
    const find = (name: string) => this.#find(name, model, all).expression;
    if (isComposed(metric) && metric.window !== undefined)
      refuseExport("It is computed over a window, which an expression cannot state.");
    switch (metric.type) {
      case "simple":
        return this.#find(metric.measure, model, all);
      case "ratio": {
        const [left, right] = [find(metric.numerator), find(metric.denominator)];
        return { expression: { kind: "binary", operator: "/", left, right }, owners: this.#owners };
      }
      case "derived":
        return {
          expression: mapExpression(parseExpression(metric.expr), (part) =>
            part.kind === "name" ? find(part.path.join(".")) : this.#inline(part, model, all),
          ),
          owners: this.#owners,
        };
      default:
        return refuseExport(`A metric of type ${metric.type} has no counterpart there.`);
    }
  }

  #find(name: string, home: PlainModel, filters: readonly MetricFilter[]): MetricFormulaText {
    const [first = "", second] = name.split(".");
    const own = second === undefined && hasEntry(home, first) ? [home] : [...this.#models.values()];
    const model = second === undefined ? own.find((each) => hasEntry(each, first)) : this.#models.get(first);
    const entry = second ?? first;
    if (model && model !== home && filters.length > 0)
      refuseExport(`Its filters hold for a metric of ${model.name} too, which an expression cannot state.`);
    const measure = model?.measures?.find((each) => each.name === entry);
    if (model && measure) return this.ofMeasure(model, measure, filters);
    const metric = model?.metrics?.find((each) => each.name === entry);
    if (!model || !metric) return refuseExport(`It needs ${name}, which is not exported.`);
    if (this.#open.has(metric)) refuseExport(`The metric ${metric.name} refers to itself. Break the cycle.`);
    this.#open.add(metric);
    try {
      return this.ofMetric(model, metric, filters);
    } finally {
      this.#open.delete(metric);
    }
  }
}

function hasEntry({ measures = [], metrics = [] }: SemanticModel, name: string): boolean {
  return [...measures, ...metrics].some((each) => each.name === name);
}

/** Returns the aggregated expression; undefined if rows are counted. */
function measureArgument({ agg, expr, name }: ModelMeasure): ParsedExpression | undefined {
  if (agg === "count" && (expr === undefined || expr.trim() === "*")) return undefined;
  return expr === undefined ? { kind: "name", path: [name] } : parseExpression(expr);
}

/** Allows only the model's columns. In a filter, a name refers to a dimension first. */
export function onlyColumns(parsed: ParsedExpression, model: SemanticModel, isFilter = true): ParsedExpression {
  return mapExpression(parsed, (part) => {
    if (part.kind !== "name") return undefined;
    const path = part.path.length > 1 && part.path[0] === model.name ? part.path.slice(1) : part.path;
    const [name = "", ...more] = path;
    if (more.length > 0) refuseExport(`It names ${part.path.join(".")}, which is behind a join.`);
    const dimension = isFilter ? model.dimensions?.find((each) => each.name === name) : undefined;
    if (dimension?.expr === undefined) return { kind: "name", path: [name] };
    return onlyColumns(parseExpression(dimension.expr), model, false);
  });
}
