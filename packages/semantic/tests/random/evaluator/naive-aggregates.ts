/** Computes a measure over the rows of one group. */
import type { WorldRow } from "../random-world.ts";
import { computeExpression } from "./naive-expressions.ts";
import { type FilterScope, filterHolds, shownMoment } from "./naive-filters.ts";
import type { NaiveLeaf } from "./naive-leaves.ts";
import { calculate, compareValues, divide, exact, identityOf, type NaiveValue, toDouble } from "./naive-values.ts";

/** Aggregates rows. Those that the measure's filters leave out have no input. */
export function aggregateRows(scope: FilterScope, leaf: NaiveLeaf, rows: readonly WorldRow[]): NaiveValue {
  const { measure, model } = leaf;
  const own = { ...scope, root: model.name, model: model.name };
  const kept = rows.filter((row) => (measure.filters ?? []).every((filter) => filterHolds(own, row, filter)));
  if (measure.agg === "count" && measure.expr === undefined) return exact(kept.length);
  return shownMoment(aggregate(measure.agg, inputs(scope, leaf, kept)), scope.zone);
}

function inputs({ world, zone }: FilterScope, { model, measure }: NaiveLeaf, rows: readonly WorldRow[]) {
  return rows
    .map((row) => computeExpression(world, model, row, measure.expr ?? measure.name, zone))
    .filter((value) => value !== null);
}

function aggregate(agg: NaiveLeaf["measure"]["agg"], values: readonly Exclude<NaiveValue, null>[]): NaiveValue {
  const sorted = values.toSorted(compareValues);
  switch (agg) {
    case "count":
      return exact(values.length);
    case "count_distinct":
      return exact(new Set(values.map(identityOf)).size);
    case "min":
      return sorted[0] ?? null;
    case "max":
      return sorted.at(-1) ?? null;
    case "sum":
      return sumOf(values);
    case "avg":
      return divide(sumOf(values), exact(values.length));
    case "median": {
      const middle = [sorted[Math.floor((values.length - 1) / 2)], sorted[Math.floor(values.length / 2)]];
      const sum = sumOf(middle.filter((value) => value !== undefined));
      return sum === null || typeof sum === "string" || typeof sum === "boolean" ? null : toDouble(sum) / 2;
    }
  }
}

/** Returns the sum, which is NULL if there are no values. */
export function sumOf(values: readonly NaiveValue[]): NaiveValue {
  const present = values.filter((value) => value !== null);
  return present.length === 0 ? null : present.reduce((sum: NaiveValue, value) => calculate("+", sum, value), exact(0));
}
