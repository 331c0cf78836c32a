/** Adds measures, segments and metrics to random models. */
import { measureExpressions } from "../evaluator/naive-expressions.ts";
import { functionsOfRows } from "../evaluator/naive-functions.ts";
import type { RandomChoices } from "../random-choices.ts";
import type { NaiveFilter, WorldMeasure, WorldMetric, WorldModel } from "../random-world.ts";
import { kindsOfFunctions, randomCondition } from "./random-conditions.ts";

type Draft = { -readonly [Part in keyof WorldModel]: WorldModel[Part] };

export function withMeasuresOfDimension(choices: RandomChoices, model: Draft): void {
  model.measures = [
    { name: "count", agg: "count" },
    { name: "labels", agg: "count_distinct", expr: "label" },
    { name: "sizes", agg: choices.pick(["sum", "avg", "min", "max", "median"] as const), expr: "size" },
    { name: "top", agg: choices.pick(["min", "max"] as const), expr: choices.pick(["label", "since"]) },
  ];
  model.segments = [{ name: `chosen_${model.name}`, filter: randomCondition(choices, "label", "label") }];
}

const aggregations = ["sum", "avg", "min", "max", "median", "count", "count_distinct"] as const;

/** Adds measures to a fact. Lines have neither moments nor big numbers. */
export function measuresOfFact(choices: RandomChoices, model: Draft): void {
  const columns = Object.keys(model.columns).filter((column) =>
    ["amount", "qty", "fee", "big", "weight"].includes(column),
  );
  const ofFunctions = "happened" in model.columns ? functionsOfRows.filter(({ name }) => numbers.includes(name)) : [];
  const expressions = [...columns, ...measureExpressions, ...ofFunctions.map(({ source }) => source)];
  const far = model.joins.find(({ to, relationship }) => to.startsWith("d") && relationship === "many_to_one");
  const more = Array.from({ length: 3 }, (_, index): WorldMeasure => {
    const expr = choices.pick(expressions);
    return { name: `m${index}`, agg: choices.pick(aggregations), expr, ...someFilters(choices, model) };
  });
  model.measures = [
    { name: "count", agg: "count" },
    { name: "total", agg: "sum", expr: "amount" },
    ...more,
    ...(far ? [{ name: "scaled", agg: "sum", expr: `qty * ${far.name ?? far.to}.size` } as const] : []),
    ...("happened" in model.columns ? measuresOfTimes(choices) : []),
    { name: "kept", agg: "count", ...someFilters(choices, model) },
  ];
  const text = "status" in model.columns ? "status" : "label";
  const filter = choices.chance(50) ? onRow(choices, model) : randomCondition(choices, text, "label");
  model.segments = [{ name: `chosen_${model.name}`, filter }];
  model.metrics = metricsOf(choices, model);
}

function measuresOfTimes(choices: RandomChoices): readonly WorldMeasure[] {
  const source = choices.pick(functionsOfRows.filter(({ type, name }) => type === "date" || name === "initial")).source;
  return [
    { name: "latest", agg: choices.pick(["min", "max"] as const), expr: "happened" },
    { name: "times", agg: choices.pick(["min", "max", "count_distinct"] as const), expr: source },
  ];
}

/** Adds conversions to another fact with the same entity, or to the same fact. */
export function withConversions(choices: RandomChoices, model: Draft, other: Draft): void {
  const shared = Object.keys(model.columns).filter(
    (column) => model.columns[column] === other.columns[column] && /^d\d|qty|status/.test(column),
  );
  const window = { count: choices.int(1, 90), grain: choices.pick(["hour", "day", "day", "week", "month"] as const) };
  const metric = {
    type: "conversion" as const,
    name: "led",
    entity: choices.pick(shared),
    base: choices.pick(["count", "kept"]),
    conversion: `${other.name}.${choices.pick(["count", "kept", "total", "m0"])}`,
    ...(choices.chance(70) && { window }),
    ...(choices.chance(50) && { result: "count" as const }),
    ...(choices.chance(20) && { empty: "null" as const }),
  };
  model.metrics = [...model.metrics, { ...metric, ...someFilters(choices, model) }];
}

function someFilters(choices: RandomChoices, model: Draft): Pick<WorldMeasure, "filters"> {
  if (!choices.chance(40)) return {};
  const join = model.joins.find(({ to }) => to.startsWith("d"));
  const near = choices.chance(50) ? randomCondition(choices, "qty", "size") : onRow(choices, model);
  if (!join || choices.chance(60)) return { filters: [near] };
  return { filters: [randomCondition(choices, `${join.name ?? join.to}.label`, "label")] };
}

/**
 * Creates a condition on a column, or on an expression over the column. Only a condition written as a string can contain such an
 * expression.
 */
function onRow(choices: RandomChoices, { columns }: Draft): NaiveFilter {
  if (!("happened" in columns)) return randomCondition(choices, "amount", "amount");
  const own = [...Object.entries(kindsOfFunctions), ["happened", "moment"] as const, ["due", "day"] as const];
  const [name, kind] = choices.pick(own);
  const field = functionsOfRows.find((each) => each.name === name)?.source ?? name;
  return { ...randomCondition(choices, field, kind), isText: true };
}

const numbers: readonly string[] = [
  "rounded",
  "whole",
  "rest",
  "least_of",
  "most",
  "letters",
  "delay",
  "months",
  "weekday",
  "chosen",
];

const inlineAggregates = ["sum(amount)", "max(qty)", "count(fee)", "count_distinct(qty)"] as const;

/** Adds a metric over two models. */
export function crossMetric(choices: RandomChoices, model: Draft, other: Draft): void {
  const foreign = choices.pick([`${other.name}.count`, `sum(${other.name}.qty)`, "count(*)"]);
  const expr = `${choices.pick(["sum(amount)", "count", "total"])} ${choices.pick(["-", "/"])} ${foreign}`;
  const ratio = { type: "ratio", name: "across", numerator: "total", denominator: `${other.name}.count` } as const;
  model.metrics = [...model.metrics, { type: "derived", name: "cross", expr }, ratio];
}

function metricsOf(choices: RandomChoices, model: Draft): readonly WorldMetric[] {
  const names = model.measures.filter(({ name }) => name !== "latest" && name !== "times").map(({ name }) => name);
  const exactNames = model.measures
    .filter(({ agg, name }) => names.includes(name) && agg !== "avg" && agg !== "median")
    .map(({ name }) => name);
  const additive = model.measures.filter(({ agg }) => agg === "sum" || agg === "count").map(({ name }) => name);
  const span = { count: choices.int(1, 3), grain: choices.pick(["day", "week", "month", "quarter", "year"] as const) };
  const [left, right] = [choices.pick(exactNames), choices.pick(exactNames)];
  return [
    { type: "simple", name: "same", measure: choices.pick(names), ...someFilters(choices, model) },
    { type: "ratio", name: "rate", numerator: choices.pick(names), denominator: choices.pick(names) },
    { type: "derived", name: "mixed", expr: `${left} ${choices.pick(["+", "-", "/"])} ${right}` },
    { type: "derived", name: "twice", expr: `2 * ${left}` },
    { type: "derived", name: "inline", expr: `${choices.pick(inlineAggregates)} ${choices.pick(["-", "/"])} count(*)` },
    { type: "cumulative", name: "running", measure: choices.pick(names) },
    { type: "cumulative", name: "recent", measure: choices.pick(names), window: span },
    {
      type: "cumulative",
      name: "to_date",
      measure: choices.pick(names),
      grain_to_date: choices.pick(["week", "month", "year"] as const),
    },
    { type: "offset", name: "before", measure: choices.pick(names), offset: span },
    {
      type: "offset",
      name: "change",
      measure: choices.pick(exactNames),
      offset: span,
      result: choices.pick(["difference", "growth"] as const),
    },
    { type: "share", name: "share", measure: choices.pick(additive), ...someFilters(choices, model) },
  ];
}
