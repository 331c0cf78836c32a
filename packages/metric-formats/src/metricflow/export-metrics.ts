import {
  isComposed,
  type MetricFilter,
  type ModelMeasure,
  type ModelMetric,
  mapExpression,
  type ParsedExpression,
  parseExpression,
  type SemanticModel,
  type TimeSpan,
} from "@bridle/semantic/model-parts";
import { ExportReport, refuseExport } from "../export-report.ts";
import { filterExpression } from "../filter-expression.ts";
import { printStandardSql } from "../standard-sql.ts";
import type { ExportedEntities } from "./export-entities.ts";
import type { ProjectNames } from "./export-names.ts";
import { metricFlowSql, wordsOfMetricFlow } from "./export-words.ts";

type Written = Readonly<Record<string, unknown>>;

/** Exports metrics. Each measure becomes a metric of the same name, because queries can name only metrics. */
export class MetricFlowMetrics {
  readonly #models: ReadonlyMap<string, SemanticModel>;
  readonly #entities: ExportedEntities;
  readonly #names: ProjectNames;
  readonly #report: ExportReport;
  readonly #measures = new Map<SemanticModel, ModelMeasure[]>();
  /** The names of exported entries. A metric that depends on a refused entry is refused, too. */
  readonly #exported = new Set<string>();
  readonly #open = new Set<string>();
  /** Whether the current metric, or one that it needs, has a window. */
  #hasWindow = false;

  constructor(models: readonly SemanticModel[], entities: ExportedEntities, names: ProjectNames, report: ExportReport) {
    this.#models = new Map(models.map((model) => [model.name, model]));
    this.#entities = entities;
    this.#names = names;
    this.#report = report;
  }

  addMeasure(model: SemanticModel, measure: ModelMeasure): void {
    this.#measures.set(model, [...(this.#measures.get(model) ?? []), measure]);
    this.#exported.add(`${model.name}.${measure.name}`);
  }

  /** Returns the metrics of a model. Call this after all measures were added. */
  of(model: SemanticModel): readonly Written[] {
    const measures = (this.#measures.get(model) ?? []).map((measure): Written => {
      const name = this.#names.of(model, measure.name);
      const quiet = new ExportReport(); // omissions are already reported for the measure
      return {
        name,
        label: name,
        ...wordsOfMetricFlow(measure, quiet, model.name),
        type: "simple",
        type_params: { measure: name },
      };
    });
    return [
      ...measures,
      ...this.#report.each(model.name, "metric", model.metrics, (each) => this.#metric(each, model)),
    ];
  }

  #metric(metric: ModelMetric, model: SemanticModel): Written {
    const name = this.#names.of(model, metric.name);
    const filter = this.#filter(metric.filters, model);
    this.#hasWindow = false;
    const written = {
      name,
      label: name,
      ...wordsOfMetricFlow(metric, this.#report, model.name, `metric ${metric.name}`),
      ...this.#parts(metric, model),
      ...(filter !== undefined && { filter }),
    };
    const change = (reason: string) => this.#report.change(model.name, `metric ${metric.name}`, reason);
    if (this.#hasWindow) change("By periods longer than a day, it shows the last day that has rows in the window.");
    if (name !== metric.name) change(`It is called ${name}, as names are unique in a project.`);
    for (const key of ["format", "synonyms"] as const) if (metric[key] !== undefined) change(`Its ${key} is left out.`);
    return written;
  }

  #parts(metric: ModelMetric, model: SemanticModel): Written {
    if (isComposed(metric) && metric.window !== undefined)
      refuseExport("It is computed over a window. Write cumulative metrics, and one that is derived from them.");
    switch (metric.type) {
      case "simple":
        return { type: "simple", type_params: { measure: this.#measure(metric.measure, model) } };
      case "ratio": {
        const [numerator, denominator] = [metric.numerator, metric.denominator].map((each) => this.#name(each, model));
        return { type: "ratio", type_params: { numerator, denominator } };
      }
      case "derived":
        return this.#derived(parseExpression(metric.expr), model);
      case "cumulative": {
        const { window, grain_to_date: start, pick = "last" } = metric;
        if (window && !metric.pick) this.#hasWindow = true;
        const span = { ...(window && { window: spanText(window) }), ...(start && { grain_to_date: start }) };
        const measure = this.#measure(metric.measure, model);
        return { type: "cumulative", type_params: { measure, cumulative_type_params: { ...span, period_agg: pick } } };
      }
      case "offset":
        return this.#offset(metric, model);
      default:
        return refuseExport(`A metric of type ${metric.type} is not exported to MetricFlow.`);
    }
  }

  #derived(parsed: ParsedExpression, model: SemanticModel): Written {
    const inputs = new Set<string>();
    const named = mapExpression(parsed, (part) => {
      if (part.kind === "call" && ["count", "sum", "avg", "min", "max", "median"].includes(part.name))
        refuseExport(`It has the aggregation ${part.name}. Make it a measure.`);
      if (part.kind !== "name") return undefined;
      const name = this.#name(part.path.join("."), model);
      inputs.add(name);
      return { kind: "name", path: [name] };
    });
    if (inputs.size === 0) refuseExport("It names no metric.");
    const metrics = [...inputs].map((name) => ({ name }));
    return { type: "derived", type_params: { expr: metricFlowSql(named), metrics } };
  }

  #offset(metric: Extract<ModelMetric, { type: "offset" }>, model: SemanticModel): Written {
    const { offset, offset_to_grain: start, result = "value", name: own } = metric;
    const name = this.#name(metric.measure, model);
    const before = `${name}_before`;
    const back = offset ? { offset_window: spanText(offset) } : { offset_to_grain: start };
    const expressions = {
      value: before,
      difference: `${name} - ${before}`,
      growth: `(${name} - ${before}) / ${before}`,
    };
    const metrics = [...(result === "value" ? [] : [{ name }]), { name, ...back, alias: before }];
    this.#report.change(model.name, `metric ${own}`, "It is a derived metric there.");
    const expr = printStandardSql(parseExpression(expressions[result]));
    return { type: "derived", type_params: { expr, metrics } };
  }

  #measure(name: string, model: SemanticModel): string {
    const { owner, entry } = this.#find(name, model);
    const isMeasure = owner.measures?.some((each) => each.name === entry);
    if (!isMeasure || owner !== model) refuseExport(`${name} is not a measure of ${model.name}. Use a derived metric.`);
    return this.#names.of(owner, entry);
  }

  #name(name: string, model: SemanticModel): string {
    const { owner, entry } = this.#find(name, model);
    return this.#names.of(owner, entry);
  }

  #find(name: string, home: SemanticModel): { readonly owner: SemanticModel; readonly entry: string } {
    const [first = "", second] = name.split(".");
    const entry = second ?? first;
    const has = ({ measures = [], metrics = [] }: SemanticModel) =>
      [...measures, ...metrics].some((each) => each.name === entry);
    const owner =
      second !== undefined ? this.#models.get(first) : has(home) ? home : [...this.#models.values()].find(has);
    if (!owner || !has(owner)) return refuseExport(`It needs ${name}, which is not exported.`);
    const metric = owner.metrics?.find((each) => each.name === entry);
    if (metric) this.#check(metric, owner);
    else if (!this.#exported.has(`${owner.name}.${entry}`)) refuseExport(`It needs ${name}, which is not exported.`);
    return { owner, entry };
  }

  /** Throws an ExportRefusalError if a metric that another one needs is not exported. */
  #check(metric: ModelMetric, owner: SemanticModel): void {
    const key = `${owner.name}.${metric.name}`;
    if (this.#open.has(key)) refuseExport(`The metric ${key} refers to itself. Break the cycle.`);
    this.#open.add(key);
    try {
      this.#parts(metric, owner);
    } finally {
      this.#open.delete(key);
    }
  }

  #filter(filters: readonly MetricFilter[] | undefined, model: SemanticModel): string | undefined {
    const parsed = filterExpression(filters ?? [], model);
    if (parsed) metricFlowSql(parsed);
    return parsed && printStandardSql(parsed, (path) => `{{ Dimension('${this.#elementOf(path, model)}') }}`);
  }

  /** Returns MetricFlow's name for a path, such as `customer__city`. */
  #elementOf(path: readonly string[], home: SemanticModel): string {
    const own = path.length > 1 && path[0] === home.name ? path.slice(1) : path;
    const entities: string[] = [];
    let model = home;
    for (const step of own.slice(0, -1)) {
      entities.push(this.#entities.ofJoin(model.name, step));
      const to = model.joins?.find((join) => (join.name ?? join.to) === step)?.to ?? "";
      model = this.#models.get(to) ?? refuseExport(`It needs ${to}, which is not exported.`);
    }
    const name = own.at(-1) ?? "";
    const dimension = model.dimensions?.find((each) => each.name === name);
    if (!dimension) return refuseExport(`Its filter names ${path.join(".")}, which is not a dimension. Declare it.`);
    if (
      dimension.grain !== undefined ||
      ["date", "timestamp", "time"].includes(dimension.type ?? "") ||
      name === model.default_time
    )
      refuseExport(`Its filter names the time ${path.join(".")}, which is not exported. Filter in the query.`);
    if (entities.length === 0) entities.push(this.#entities.primaryOf(home));
    return [...entities, name].join("__");
  }
}

function spanText({ count, grain }: TimeSpan): string {
  return `${count} ${grain}${count === 1 ? "" : "s"}`;
}
