/** Resolves names of measures and metrics to a formula over leaves. Each leaf is one measure over the rows of its model. */
import type { TimeGrain } from "../../../src/expressions/time-grains.ts";
import type { TimeSpan } from "../../../src/models/model-schema.ts";
import type { NaiveFilter, World, WorldMeasure, WorldMetric, WorldModel } from "../random-world.ts";
import { modelIn, NaiveRefusal } from "./naive-paths.ts";
import { calculate, divide, exact, type NaiveValue } from "./naive-values.ts";

type LeafBehaviour =
  | { readonly kind: "plain" }
  | { readonly kind: "cumulative"; readonly window?: TimeSpan; readonly toDate?: TimeGrain }
  | { readonly kind: "offset"; readonly span: TimeSpan }
  | NaiveConversion;

/** The rows that are counted for the last earlier row of the same entity. */
export interface NaiveConversion {
  readonly kind: "conversion";
  readonly to: string;
  readonly measure: WorldMeasure;
  readonly filters: NaiveLeaf["filters"];
  readonly entity: readonly [string, string];
  readonly window: TimeSpan | undefined;
}

export interface NaiveLeaf {
  readonly model: WorldModel;
  readonly measure: WorldMeasure;
  readonly behaviour: LeafBehaviour;
  readonly filters: readonly { readonly filter: NaiveFilter; readonly model: string }[];
}

/** The values of one group that a formula reads. */
interface GroupReader {
  leaf(leaf: NaiveLeaf): NaiveValue;
  /** Returns the sum of the formula over the groups with the same values in these dimensions. */
  total(formula: NaiveFormula, within: readonly string[]): NaiveValue;
}

export interface NaiveFormula {
  readonly leaves: readonly NaiveLeaf[];
  compute(group: GroupReader): NaiveValue;
}

interface Scope {
  readonly world: World;
  readonly behaviour: LeafBehaviour;
  readonly filters: NaiveLeaf["filters"];
}

export function expandNaively(world: World, name: string): NaiveFormula {
  return expand({ world, behaviour: { kind: "plain" }, filters: [] }, undefined, name);
}

function expand(scope: Scope, home: WorldModel | undefined, name: string): NaiveFormula {
  const [first = "", second] = name.split(".");
  const model = second === undefined ? home : modelIn(scope.world, first);
  if (!model) throw new NaiveRefusal(`${name} has no model`);
  const measure = model.measures.find((each) => each.name === (second ?? first));
  if (measure) return ofLeaf({ model, measure, behaviour: scope.behaviour, filters: scope.filters });
  const metric = model.metrics.find((each) => each.name === (second ?? first));
  if (!metric) throw new NaiveRefusal(`no measure ${name}`);
  const own = (metric.filters ?? []).map((filter) => ({ filter, model: model.name }));
  return expandMetric({ ...scope, filters: [...scope.filters, ...own] }, model, metric);
}

/** Returns the formula of a leaf. A missing count is 0, except in an offset metric, where it is NULL. */
function ofLeaf(leaf: NaiveLeaf): NaiveFormula {
  const counts = leaf.measure.agg.startsWith("count") && leaf.behaviour.kind !== "offset";
  return { leaves: [leaf], compute: (group) => group.leaf(leaf) ?? (counts ? exact(0) : null) };
}

function expandMetric(scope: Scope, model: WorldModel, metric: WorldMetric): NaiveFormula {
  const inner = (name: string, behaviour = scope.behaviour) => expand({ ...scope, behaviour }, model, name);
  switch (metric.type) {
    case "simple":
      return inner(metric.measure);
    case "ratio":
      return combine(inner(metric.numerator), inner(metric.denominator), divide);
    case "derived": {
      const [left = "", operator = "", right = ""] = metric.expr.split(" ");
      const operation = (a: NaiveValue, b: NaiveValue) =>
        operator === "/" ? divide(a, b) : calculate(operator === "+" ? "+" : operator === "-" ? "-" : "*", a, b);
      const read = (text: string) => operand(text, inner, (leaf) => ofLeaf({ ...leaf, ...scope }), model, scope.world);
      return combine(read(left), read(right), operation);
    }
    case "cumulative": {
      const { window, grain_to_date: toDate } = metric;
      return inner(metric.measure, { kind: "cumulative", ...(window && { window }), ...(toDate && { toDate }) });
    }
    case "offset": {
      if (!metric.offset) throw new Error(`No random model has the metric ${metric.name}.`);
      const before = inner(metric.measure, { kind: "offset", span: metric.offset });
      if ((metric.result ?? "value") === "value") return before;
      const difference = combine(inner(metric.measure), before, (a, b) => calculate("-", a, b));
      return metric.result === "difference" ? difference : combine(difference, before, divide);
    }
    case "conversion":
      return ofConversion(scope, model, metric);
    case "share": {
      const part = inner(metric.measure);
      return {
        leaves: part.leaves,
        compute: (group) => divide(part.compute(group), group.total(part, metric.within ?? [])),
      };
    }
  }
}

/** Returns the formula of a conversion, which has a value in every group with rows that may lead to others. */
function ofConversion(
  scope: Scope,
  model: WorldModel,
  metric: Extract<WorldMetric, { type: "conversion" }>,
): NaiveFormula {
  const base = expand(scope, model, metric.base);
  const [from] = base.leaves;
  const [to] = expand({ ...scope, filters: [] }, model, metric.conversion).leaves;
  if (!from || !to || scope.behaviour.kind !== "plain") throw new NaiveRefusal(`${metric.name} over other periods`);
  const entity: readonly [string, string] =
    typeof metric.entity === "string" ? [metric.entity, metric.entity] : metric.entity;
  const { measure, filters } = to;
  const kind = { kind: "conversion", to: to.model.name, measure, filters, entity, window: metric.window } as const;
  const leaf: NaiveLeaf = { ...from, behaviour: kind };
  const isZero = measure.agg.startsWith("count") && metric.empty !== "null";
  const converted = (group: GroupReader) => group.leaf(leaf) ?? (isZero ? exact(0) : null);
  return {
    leaves: [...base.leaves, leaf],
    compute: (group) => (metric.result === "count" ? converted(group) : divide(converted(group), base.compute(group))),
  };
}

/** Reads a number, a measure, or an aggregate such as `sum(amount)`, `max(d0.size)` or `count(*)`. */
function operand(
  text: string,
  inner: (name: string) => NaiveFormula,
  leafOf: (leaf: Pick<NaiveLeaf, "model" | "measure">) => NaiveFormula,
  home: WorldModel,
  world: World,
): NaiveFormula {
  const [, agg, of = ""] = /^(sum|max|count|count_distinct)\((.*)\)$/.exec(text) ?? [];
  if (agg === "sum" || agg === "max" || agg === "count" || agg === "count_distinct") {
    const [first = "", second] = of.split(".");
    const model = second === undefined ? home : modelIn(world, first);
    return leafOf({ model, measure: { name: text, agg, ...(of !== "*" && { expr: second ?? first }) } });
  }
  return /^\d+$/.test(text) ? { leaves: [], compute: () => exact(BigInt(text)) } : inner(text);
}

function combine(
  left: NaiveFormula,
  right: NaiveFormula,
  operation: (a: NaiveValue, b: NaiveValue) => NaiveValue,
): NaiveFormula {
  return {
    leaves: [...left.leaves, ...right.leaves],
    compute: (group) => operation(left.compute(group), right.compute(group)),
  };
}
