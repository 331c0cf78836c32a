/** Converts MetricFlow's metrics to models' metrics. An input with a filter or an offset becomes a separate metric. */

import { type ModelMetric, type SemanticModel, timeGrains } from "@bridle/semantic/model-parts";
import { type ImportReport, refuseImport } from "../import-report.ts";
import { importedConversion, withoutFill } from "./convert-conversion.ts";
import { plainWords } from "./convert-model.ts";
import type { LinkedModel } from "./element-names.ts";
import type { ElementPaths } from "./element-paths.ts";
import { handleText, type MetricHandle, quotedHandle, spanOf, spanToDate } from "./metric-handle.ts";
import { MetricInputs } from "./metric-inputs.ts";
import type { SourceInput, SourceMetric, SourceMetricInput } from "./metricflow-schema.ts";
import { measuresOf, type OwnedMeasure } from "./owned-measures.ts";
import { fieldOfPath } from "./queries/query-names.ts";
import type { Placed } from "./read-project.ts";
import { writeFilter } from "./write-filter.ts";

/** Reads and adds metrics. Used again for a query's filters. */
export class MetricConverter {
  readonly added = new Map<string, ModelMetric[]>();
  /** Metrics that also show periods without rows in MetricFlow's results. */
  readonly onSpine = new Set<string>();
  readonly #linked: ReadonlyMap<string, LinkedModel>;
  readonly #paths: ElementPaths;
  readonly inputs: MetricInputs;
  readonly #metrics: ReadonlyMap<string, Placed<SourceMetric>>;
  readonly #done = new Map<string, MetricHandle>();
  readonly #taken: Set<string>;
  readonly #open: string[] = [];

  constructor(
    models: readonly SemanticModel[],
    linked: ReadonlyMap<string, LinkedModel>,
    paths: ElementPaths,
    metrics: readonly Placed<SourceMetric>[],
  ) {
    this.#linked = linked;
    this.#paths = paths;
    paths.useMetrics(this);
    const measures = measuresOf(models, linked);
    this.#metrics = new Map(metrics.map((each) => [each.value.name, each]));
    this.inputs = new MetricInputs(measures, this.#metrics);
    this.#taken = new Set([...[...measures.values()].map(({ name }) => name), ...this.#metrics.keys()]);
  }

  /** Returns a metric in the form that a filter compares, grouped by an entity that its measures have in one model. */
  groupOf(metric: string, entity: string) {
    const found = this.inputs
      .leavesOf(metric)
      .map(({ model, time }) => this.#paths.find(model, { name: entity }, time));
    const fields = [...new Set(found.map(fieldOfPath))];
    const [field, other] = fields;
    if (field === undefined || other !== undefined)
      return refuseImport(
        `The metric ${metric} of a filter has ${entity} in several models. Filter by each of its parts.`,
      );
    return { metric: handleText(this.convert(metric, [])), field };
  }

  convertAll(report: ImportReport): void {
    for (const { value, at } of this.#metrics.values())
      report.attempt(at.subject("metric"), at.position, () => this.convert(value.name, []));
    for (const name of this.onSpine) {
      const at = this.#metrics.get(name)?.at;
      const reason = "Periods without rows are in the result only if the query has fillMissing.";
      if (at) report.add("changed", at.subject("metric"), reason, at.position);
    }
  }

  /** Converts a metric with additional filters. Throws an ImportRefusalError. */
  convert(name: string, filters: readonly string[]): MetricHandle {
    const key = JSON.stringify([name, filters]);
    const done = this.#done.get(key);
    if (done) return done;
    if (this.#open.includes(name)) refuseImport(`The metric ${name} refers to itself. Break the cycle.`);
    const metric = this.#metrics.get(name)?.value;
    if (!metric) return this.#bareMeasure(name, filters);
    this.#open.push(name);
    try {
      const handle = this.#convertMetric(metric, [...filters, ...(metric.filter ?? [])], filters.length > 0);
      this.#done.set(key, handle);
      return handle;
    } finally {
      this.#open.pop();
    }
  }

  #bareMeasure(name: string, filters: readonly string[]): MetricHandle {
    const owned = this.inputs.measure(name);
    if (owned.measure.create_metric !== true)
      refuseImport(`There is no metric "${name}". A measure needs create_metric to be one.`);
    return this.#filtered(owned, filters, { name: owned.name });
  }

  #convertMetric(metric: SourceMetric, filters: readonly string[], isPart: boolean): MetricHandle {
    const name = isPart ? this.#free(`${metric.name}__filtered`) : metric.name;
    const words = plainWords(metric);
    switch (metric.type) {
      case "simple":
        return this.#convertSimple(metric, filters, { name, ...words });
      case "ratio": {
        const { numerator, denominator } = metric.type_params;
        if (!numerator || !denominator) return refuseImport("A ratio needs a numerator and a denominator. Add them.");
        const over = this.#input(numerator, filters);
        const under = this.#input(denominator, filters);
        const parts = { numerator: handleText(over), denominator: handleText(under) };
        return this.#add(over.model, { type: "ratio", name, ...parts, ...words });
      }
      case "derived":
        return this.#convertDerived(metric, filters, { name, ...words });
      case "cumulative":
        return this.#convertCumulative(metric, filters, { name, ...words });
      case "conversion":
        return this.#convertConversion(metric, filters, { name, ...words });
    }
  }

  #convertSimple({ name: own, type_params: { measure } }: SourceMetric, filters: readonly string[], words: Words) {
    if (!measure) return refuseImport("A simple metric needs a measure. Add one.");
    if (measure.join_to_timespine) this.onSpine.add(own);
    return this.#ofMeasure(measure, filters, words);
  }

  /** Converts an input measure together with its filter and its fill value for missing results. */
  #ofMeasure(input: SourceInput, filters: readonly string[], words: Words): MetricHandle {
    const owned = this.inputs.measure(input.name);
    const all = [...filters, ...(input.filter ?? [])];
    return this.#withFill(input.fill_nulls_with, words, (name) => this.#filtered(owned, all, name));
  }

  #withFill(fill: number | null | undefined, words: Words, convert: (words: Words) => MetricHandle): MetricHandle {
    if (fill === undefined || fill === null) return convert(words);
    const part = convert({ name: this.#free(`${words.name}__unfilled`) });
    return this.#add(part.model, { type: "derived", expr: `coalesce(${quotedHandle(part)}, ${fill})`, ...words });
  }

  /** Returns the measure itself, or if the input has filters, a metric with these. */
  #part(input: SourceInput, filters: readonly string[], name: string): MetricHandle {
    const isPlain = filters.length === 0 && !input.filter?.length && (input.fill_nulls_with ?? undefined) === undefined;
    if (!isPlain) return this.#ofMeasure(input, filters, { name: this.#free(name) });
    const { model, name: own } = this.inputs.measure(input.name);
    return { model, name: own };
  }

  /** Adds filters to a measure; returns the measure itself if nothing is added. */
  #filtered(owned: OwnedMeasure, filters: readonly string[], words: Words): MetricHandle {
    const { model, name, time } = owned;
    if (filters.length === 0 && words.name === name) return { model, name };
    const texts = filters.map((filter) => writeFilter(this.#paths, filter, model, time));
    const own = words.name === name ? { ...words, name: this.#free(`${name}__filtered`) } : words;
    return this.#add(model, { type: "simple", measure: name, ...own, ...(texts.length > 0 && { filters: texts }) });
  }

  #convertDerived(metric: SourceMetric, filters: readonly string[], words: Words): MetricHandle {
    const { expr, metrics = [] } = metric.type_params;
    if (expr === undefined || metrics.length === 0)
      return refuseImport("A derived metric needs expr and metrics. Add them.");
    const inputs = new Map(metrics.map((input) => [input.alias ?? input.name, this.#offsetInput(input, filters)]));
    const [first] = inputs.values();
    const text = expr.replace(/'[^']*'|[A-Za-z_]\w*/g, (word) => {
      const input = inputs.get(word);
      return input ? quotedHandle(input) : word;
    });
    return this.#add(first?.model ?? "", { type: "derived", expr: text, ...words });
  }

  #offsetInput(input: SourceMetricInput, filters: readonly string[]): MetricHandle {
    const metric = this.#input(input, filters);
    const { offset_window: window, offset_to_grain: start } = input;
    if (!window && !start) return metric;
    if (window && start) refuseImport(`${input.name} has both offset_window and offset_to_grain. Write one of them.`);
    const name = this.#free(`${input.alias ?? input.name}__offset`);
    const grain = timeGrains.find((each) => each === start?.toLowerCase());
    if (start && !grain) refuseImport(`The grain ${start} of ${input.name} is not supported.`);
    const back = grain ? { offset_to_grain: grain } : { offset: spanOf(window ?? "") };
    return this.#add(metric.model, { type: "offset", measure: handleText(metric), ...back, name });
  }

  #input({ name, filter }: Pick<SourceInput, "name" | "filter">, filters: readonly string[]): MetricHandle {
    return this.convert(name, [...filters, ...(filter ?? [])]);
  }

  #convertCumulative(
    { name: own, type_params: params }: SourceMetric,
    filters: readonly string[],
    words: Words,
  ): MetricHandle {
    const { measure: input, cumulative_type_params: inner } = params;
    if (!input) return refuseImport("A cumulative metric needs a measure. Add one.");
    if (input.join_to_timespine) this.onSpine.add(own);
    const { fill_nulls_with: fill, ...measure } = input;
    const base = this.#part(measure, filters, `${words.name}__measure`);
    const span = { ...spanToDate({ ...params, ...inner }), pick: inner?.period_agg ?? "first" };
    return this.#withFill(fill, words, (name) =>
      this.#add(base.model, { type: "cumulative", measure: base.name, ...span, ...name }),
    );
  }

  #convertConversion({ type_params: params }: SourceMetric, filters: readonly string[], words: Words): MetricHandle {
    const given = params.conversion_type_params;
    if (!given) return refuseImport("A conversion metric needs conversion_type_params. Add them.");
    const part = (input: SourceInput, more: readonly string[], name: string) => {
      return { handle: this.#part(withoutFill(input), more, name), owned: this.inputs.measure(input.name) };
    };
    const base = part(given.base_measure, filters, `${words.name}__base`);
    const conversion = part(given.conversion_measure, [], `${words.name}__conversion`);
    const metric = importedConversion(words.name, given, base, conversion, this.#linked);
    return this.#add(base.handle.model, { ...metric, ...words });
  }

  #add(model: string, metric: ModelMetric): MetricHandle {
    const others = this.added.get(model);
    if (others) others.push(metric);
    else this.added.set(model, [metric]);
    return { model, name: metric.name };
  }

  #free(name: string): string {
    for (let index = 1; ; index += 1) {
      const candidate = index === 1 ? name : `${name}_${index}`;
      if (this.#taken.has(candidate)) continue;
      this.#taken.add(candidate);
      return candidate;
    }
  }
}

interface Words {
  readonly name: string;
  readonly description?: string;
  readonly label?: string;
}
