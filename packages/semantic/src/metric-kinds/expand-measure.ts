/** Expands the name of a measure or metric to the leaves from which it is computed. */
import { nearest } from "@bridle/protocol";
import { mapExpression } from "../expressions/map-expression.ts";
import { namesInExpression } from "../expressions/names-in-expression.ts";
import { orZero } from "../ir/build-expression.ts";
import { isAggregated, toDerivedMetric } from "../models/measure-forms.ts";
import type { ModelMeasure, ModelMetric, SemanticModel } from "../models/model-schema.ts";
import type { ModelSet } from "../models/model-set.ts";
import { bindExpression } from "../plan/bind-expression.ts";
import type { ScopedFilter } from "../plan/fields.ts";
import type { MetricFormula } from "../plan/formula.ts";
import { inlineAggregate, type ParsedCall } from "../plan/inline-aggregate.ts";
import type { Leaf, TimeBehaviour } from "../plan/leaf.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";
import { refuseUnknown } from "../refusals/unknown-name.ts";
import type { MetricScope, SemanticMetricKind } from "./metric-kind.ts";
import { overWindow } from "./over-time.ts";
import { isComposed, kindOf } from "./registry.ts";

interface Found {
  readonly model: SemanticModel;
  readonly measure?: ModelMeasure | undefined;
  readonly metric?: ModelMetric | undefined;
}

/** Expands a measure or metric by its name: `model.name`, or the name alone if only one model has it. */
export function expandMeasure(models: ModelSet, name: string, words: string[] = []): MetricFormula {
  return new Expansion(models, words).expand(name, undefined, { kind: "plain" }, []);
}

/** Returns the number format of a measure or metric, if its file declares one. */
export function formatOfMeasure(models: ModelSet, name: string): string | undefined {
  const { measure, metric } = findMeasure(models, name);
  return (measure ?? metric)?.format;
}

class Expansion {
  readonly #models: ModelSet;
  readonly #words: string[];
  readonly #open: string[] = [];

  constructor(models: ModelSet, words: string[]) {
    this.#models = models;
    this.#words = words;
  }

  expand(
    name: string,
    home: SemanticModel | undefined,
    behaviour: TimeBehaviour,
    filters: readonly ScopedFilter[],
  ): MetricFormula {
    const { model, measure, metric } = findMeasure(this.#models, name, home);
    if (measure) return leafFormula({ model, measure, behaviour: overWindow(measure, behaviour), filters });
    if (!metric) return refuseMetric("unknown_name", `There is no measure or metric "${name}".`);
    const id = `${model.name}.${metric.name}`;
    if (this.#open.includes(id)) {
      refuseMetric(
        "invalid_expression",
        `The metric ${id} refers to itself: ${[...this.#open, id].join(", ")}. Break the cycle.`,
      );
    }
    this.#open.push(id);
    const kind: SemanticMetricKind = kindOf(metric.type);
    this.#words.push(`${id} ${kind.explain(metric)}.`);
    const own = (metric.filters ?? []).map((filter) => ({ filter, model: model.name }));
    const inner = isComposed(metric) ? overWindow(metric, behaviour) : behaviour;
    const formula = kind.expand(metric, this.#scope(model, inner, [...filters, ...own]));
    this.#open.pop();
    return formula;
  }

  #scope(model: SemanticModel, behaviour: TimeBehaviour, filters: readonly ScopedFilter[]): MetricScope {
    const expand = (name: string, other: TimeBehaviour = behaviour) => this.expand(name, model, other, filters);
    const inline = (call: ParsedCall) => {
      const found = inlineAggregate(this.#models, model, call);
      return found && leafFormula({ ...found, behaviour, filters });
    };
    return {
      model,
      behaviour,
      filters,
      expand,
      expandExpression: (source) => this.#expression(source, expand, inline),
    };
  }

  #expression(
    source: string,
    expand: (name: string) => MetricFormula,
    inline: (call: ParsedCall) => MetricFormula | undefined,
  ): MetricFormula {
    const named = new Map<string, MetricFormula>();
    const parsed = mapExpression(this.#models.parse(source), (part) => {
      const formula = part.kind === "call" ? inline(part) : undefined;
      if (!formula) return undefined;
      const name = `aggregate ${named.size}`;
      named.set(name, formula);
      return { kind: "name", path: [name] };
    });
    for (const name of namesInExpression(parsed).map((path) => path.join(".")))
      if (!named.has(name)) named.set(name, expand(name));
    return {
      leaves: [...named.values()].flatMap(({ leaves }) => leaves),
      write: (columns) =>
        bindExpression(parsed, (path) => {
          const formula = named.get(path.join("."));
          return formula?.write(columns) ?? refuseUnknown("measure", path.join("."), named.keys());
        }),
    };
  }
}

/** Returns the formula of a leaf. A missing count is 0, except in an offset metric, where it is NULL. */
function leafFormula(leaf: Leaf): MetricFormula {
  const isCount = leaf.measure.agg === "count" || leaf.measure.agg === "count_distinct";
  const { behaviour } = leaf;
  const isEarlier = behaviour.kind === "offset" || (behaviour.kind === "cumulative" && behaviour.before.length > 0);
  const counts = isCount && !isEarlier;
  return { leaves: [leaf], write: (columns) => (counts ? orZero(columns.leaf(leaf)) : columns.leaf(leaf)) };
}

export function findMeasure(models: ModelSet, name: string, home?: SemanticModel): Found {
  const [first = "", second, ...more] = name.split(".");
  if (second === undefined) return findByName(models, first, home);
  if (more.length > 0) refuseMetric("unknown_name", `"${name}" is not a measure. Write model.measure.`);
  const model = models.model(first);
  return findIn(model, second) ?? refuseUnknown(`measure or metric of ${model.name}`, second, namesIn(model));
}

function findByName(models: ModelSet, name: string, home: SemanticModel | undefined): Found {
  const own = home && findIn(home, name);
  if (own) return own;
  const [found, ...others] = [...models.models.values()].flatMap((model) => findIn(model, name) ?? []);
  if (found && others.length > 0) {
    const full = [found, ...others].map(({ model }) => `${model.name}.${name}`).join(", ");
    refuseMetric("ambiguous_name", `"${name}" is a measure of several models. Write one of ${full}.`);
  }
  return found ?? refuseUnknown("measure or metric", name, candidates(models, name, home));
}

/** Returns names to suggest, in the form that an expression in `home` can use. Names in that model are written without the model. */
function candidates(models: ModelSet, name: string, home: SemanticModel | undefined): readonly string[] {
  const all = [...models.models.values()].flatMap((model) => namesIn(model).map((short) => ({ model, short })));
  const near = nearest(name, new Set(all.map(({ short }) => short)));
  const matching = all.filter(({ short }) => near.includes(short));
  return (matching.length > 0 ? matching : all).map(({ model, short }) =>
    model === home ? short : `${model.name}.${short}`,
  );
}

function findIn(model: SemanticModel, name: string): Found | undefined {
  const measure = model.measures?.find((each) => each.name === name);
  if (measure) return isAggregated(measure) ? { model, measure } : { model, metric: toDerivedMetric(measure) };
  const metric = model.metrics?.find((each) => each.name === name);
  return metric && { model, metric };
}

function namesIn({ measures = [], metrics = [] }: SemanticModel): string[] {
  return [...measures, ...metrics].map(({ name }) => name);
}
