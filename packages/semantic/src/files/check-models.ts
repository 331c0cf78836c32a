/** Checks what a schema cannot express: that names exist, expressions have types, and metrics can be planned. */
import { compileMetricQuery } from "../compile/compile-metric-query.ts";
import { parseExpression } from "../expressions/parse-expression.ts";
import { type TimeGrain, timeGrains } from "../expressions/time-grains.ts";
import { isTimeType } from "../ir/type-rules.ts";
import { expandMeasure } from "../metric-kinds/expand-measure.ts";
import { isAggregated } from "../models/measure-forms.ts";
import type { SemanticFacts } from "../models/model-facts.ts";
import type { MeasureEntry, ModelMetric, SemanticModel } from "../models/model-schema.ts";
import { ModelSet } from "../models/model-set.ts";
import { bindDimension } from "../plan/bind-dimension.ts";
import { fieldsOfFilter } from "../plan/fields.ts";
import { FilterPlanner } from "../plan/filter-planner.ts";
import type { GroupMetrics } from "../plan/group-metric.ts";
import { AliasCounter, JoinTree } from "../plan/join-tree.ts";
import type { OffsetStep, TimeBehaviour } from "../plan/leaf.ts";
import { planContext } from "../plan/query-keys.ts";
import type { MetricQuery } from "../query/query-schema.ts";
import { MetricRefusalError, refuseMetric } from "../refusals/metric-refusal.ts";
import { checkNames } from "./check-names.ts";
import type { EntryProblem } from "./entry-problem.ts";
import type { LocatedModel } from "./located-model.ts";
import type { ModelPath } from "./model-problem.ts";

export interface CheckedModels {
  readonly models: ModelSet | undefined;
  readonly problems: readonly EntryProblem[];
}

/** Checks models. `isPartial`: other files could not be read, so that a missing model is not a fault in these files. */
export function checkSemanticModels(
  all: readonly LocatedModel[],
  facts: SemanticFacts,
  isPartial: boolean,
): CheckedModels {
  const problems = all.flatMap((each) => [...checkNames(each, all, isPartial), ...checkConditions(each.model)]);
  if (problems.length > 0 || isPartial) return { models: undefined, problems };
  const whole = new ProblemList();
  const models = whole.try(
    all[0]?.model,
    [],
    () =>
      new ModelSet(
        all.map(({ model }) => model),
        facts,
      ),
  );
  if (!models) return { models: undefined, problems: whole.problems };
  const checker = new ModelChecker(models);
  return { models, problems: all.flatMap(({ model }) => checker.check(model)) };
}

function checkConditions(model: SemanticModel): readonly EntryProblem[] {
  const list = new ProblemList();
  for (const [index, { on }] of (model.joins ?? []).entries())
    if (typeof on === "string") list.try(model, ["joins", index, "on"], () => parseExpression(on));
  return list.problems;
}

/** Only the form of a segment is checked: a metric that it compares is planned together with a query. */
const noGroups: GroupMetrics = {
  relations: [],
  relationOf: () => ({ name: "g0", key: { type: "unknown" }, value: { type: "unknown" } }),
};

class ProblemList {
  readonly problems: EntryProblem[] = [];

  /** Runs a check, and notes its refusal at the path. */
  try<Result>(model: SemanticModel | undefined, path: ModelPath, check: () => Result): Result | undefined {
    try {
      return check();
    } catch (error) {
      if (!(error instanceof MetricRefusalError) || !model) throw error;
      const { reason, message, nearest } = error.refusal;
      this.problems.push({ model, path, reason, message, nearest });
      return undefined;
    }
  }
}

class ModelChecker {
  readonly #models: ModelSet;

  constructor(models: ModelSet) {
    this.#models = models;
  }

  check(model: SemanticModel): readonly EntryProblem[] {
    const list = new ProblemList();
    const tree = () => new JoinTree(this.#models, model.name, new AliasCounter());
    for (const [index, column] of (model.primary_key ?? []).entries())
      list.try(model, ["primary_key", index], () => tree().column([], column));
    for (const [index, join] of (model.joins ?? []).entries())
      list.try(model, ["joins", index, "on"], () => {
        const edge = this.#models.edgesFrom(model.name).find((each) => each.name === (join.name ?? join.to));
        if (edge) tree().aliasAt([edge]);
      });
    for (const [index, { name }] of (model.dimensions ?? []).entries())
      list.try(model, ["dimensions", index, "expr"], () =>
        bindDimension(this.#models, tree(), { steps: [], model: model.name, name }, undefined),
      );
    if (list.problems.length > 0) return list.problems;
    if (model.default_time !== undefined) list.try(model, ["default_time"], () => this.#defaultTime(model, tree()));
    for (const [index, { filter }] of (model.segments ?? []).entries())
      list.try(model, ["segments", index, "filter"], () => this.#segment(model, filter, tree()));
    for (const [index, measure] of (model.measures ?? []).entries())
      list.try(model, ["measures", index], () => this.#measure(model, measure));
    if (list.problems.length > 0) return list.problems;
    for (const [index, metric] of (model.metrics ?? []).entries())
      list.try(model, ["metrics", index], () => this.#metric(model, metric));
    return list.problems;
  }

  #defaultTime(model: SemanticModel, tree: JoinTree): void {
    const name = model.default_time ?? "";
    const bound = bindDimension(this.#models, tree, { steps: [], model: model.name, name }, undefined);
    if (isTimeType(bound.type) || bound.type === "unknown") return;
    refuseMetric("invalid_value", `default_time is the dimension ${name}, which is a ${bound.type}. Name a time.`);
  }

  #segment(model: SemanticModel, filter: Parameters<FilterPlanner["plan"]>[0], tree: JoinTree): void {
    const context = planContext(this.#models, { measures: [model.name] }, noGroups);
    new FilterPlanner(this.#models, tree).plan(filter, fieldsOfFilter(context, model.name, model.name));
  }

  /** Checks a measure. In an expression without an aggregation, a name that is not a measure is often a column. */
  #measure(model: SemanticModel, measure: MeasureEntry): void {
    try {
      this.#planned(model, measure);
    } catch (error) {
      const isUnknown = error instanceof MetricRefusalError && error.refusal.reason === "unknown_name";
      if (!isUnknown || isAggregated(measure)) throw error;
      const { message, reason, nearest } = error.refusal;
      const [, name = "a"] = /"([^"]+)"/.exec(message) ?? [];
      refuseMetric(reason, `${message} An expr without agg aggregates itself, such as sum(${name}).`, { nearest });
    }
  }

  #metric(model: SemanticModel, metric: ModelMetric): void {
    this.#planned(model, metric);
  }

  /** Plans a query with the entry. Metrics that read other periods can be planned only with a time. */
  #planned(model: SemanticModel, entry: { readonly name: string }): void {
    const name = `${model.name}.${entry.name}`;
    const leaves = expandMeasure(this.#models, name).leaves;
    const needsTime = leaves.some(({ behaviour }) => behaviour.kind === "cumulative" || behaviour.kind === "offset");
    const time = leaves.find(({ behaviour }) => behaviour.kind !== "plain")?.model;
    if (!needsTime) this.#compile({ measures: [name] });
    else if (time?.default_time !== undefined) {
      const grain = finestGrain(leaves.flatMap(({ behaviour }) => grainsOf(behaviour)));
      this.#compile({ measures: [name], dimensions: [{ field: `${time.name}.${time.default_time}`, grain }] });
    }
  }

  #compile(query: MetricQuery): void {
    const compiled = compileMetricQuery(this.#models, query, "duckdb");
    if (compiled.kind === "compiled") return;
    const { reason, message, nearest } = compiled.refusal;
    refuseMetric(reason, message, { nearest });
  }
}

/** Returns the grains by which a leaf moves or adds up rows. */
function grainsOf(behaviour: TimeBehaviour): readonly TimeGrain[] {
  if (behaviour.kind === "offset") return behaviour.steps.map(grainOfStep);
  if (behaviour.kind !== "cumulative") return [];
  const own = [behaviour.window?.grain, behaviour.toDate].filter((grain) => grain !== undefined);
  return [...own, ...behaviour.before.map(grainOfStep)];
}

function grainOfStep(step: OffsetStep): TimeGrain {
  return step.kind === "back" ? step.span.grain : step.grain;
}

/** Returns a grain that divides all given grains. Weeks do not divide a month. */
function finestGrain(grains: readonly TimeGrain[]): TimeGrain {
  const finest = timeGrains.find((grain) => grains.includes(grain)) ?? "year";
  return finest === "week" && grains.some((grain) => grain !== "week") ? "day" : finest;
}
