/** Plans the periods from the first to the last in the data, as a relation with one column. */

import type { TimeGrain } from "../expressions/time-grains.ts";
import {
  computedColumn,
  namedRelation,
  selectFrom,
  sqlAggregate,
  sqlBinary,
  sqlLiteral,
} from "../ir/build-expression.ts";
import type { NamedRelation, SqlExpression } from "../ir/sql-expression.ts";
import { nameOfPeriods, type PeriodAxis, periodType } from "./period-axis.ts";

/**
 * Engines limit the depth of recursion; the strictest allows 100 steps. Periods are therefore generated in large steps first, and then in
 * smaller steps. The largest step stays within the calendars of all engines.
 */
const strides: Readonly<Record<TimeGrain, readonly number[]>> = {
  hour: [8100, 90, 1],
  day: [6400, 80, 1],
  week: [900, 30, 1],
  month: [60, 1],
  quarter: [40, 1],
  year: [10, 1],
};
const levelNames = ["spans", "blocks"];

/** A table from which periods are read. */
export interface SpineTable {
  readonly relation: NamedRelation;
}

export interface PeriodBounds {
  readonly first: SqlExpression;
  readonly last: SqlExpression;
}

/** Plans the periods. `facts` are relations with the data's periods in their key column. */
export function planPeriods(
  axis: PeriodAxis,
  facts: readonly string[],
  fixed: PeriodBounds | SpineTable | undefined,
): readonly NamedRelation[] {
  if (fixed && "relation" in fixed) return [fixed.relation];
  const type = periodType(axis.grain);
  const name = nameOfPeriods(axis);
  const first = computedColumn("b", "first", { type });
  const last = computedColumn("b", "last", { type });
  const seeds = fixed
    ? selectFrom(undefined, [
        { name: "first", expression: fixed.first },
        { name: "last", expression: fixed.last },
      ])
    : boundsOf(axis, facts);
  const isThere: SqlExpression = { kind: "is_null", operand: first, isNegated: true, type: "boolean" };
  const levels = strides[axis.grain].map((step, index, all): NamedRelation => {
    const source = `${name}_${index === 0 ? "bounds" : levelNames[index - 1]}`;
    const start = index === 0 ? first : computedColumn("b", "p", { type });
    const seed = selectFrom(
      namedRelation(source, "b"),
      [{ name: "p", expression: start }, { name: "last", expression: last }, zero],
      index === 0 ? { where: [isThere] } : {},
    );
    const own = index === all.length - 1 ? name : `${name}_${levelNames[index]}`;
    const max = index === 0 ? undefined : (all[index - 1] ?? step) / step - 1;
    return recursive(own, axis, seed, step, max);
  });
  return [{ name: `${name}_bounds`, relation: seeds }, ...levels];
}

/** A zero with the type of a sum, because both parts of a recursive relation must have the same type. */
const zero = {
  name: "n",
  expression: { kind: "cast", operand: sqlLiteral("0", "integer"), type: "integer" } satisfies SqlExpression,
};

function boundsOf(axis: PeriodAxis, facts: readonly string[]) {
  const { column } = axis.key;
  const type = periodType(axis.grain);
  const parts = facts.map((name) =>
    selectFrom(namedRelation(name, "f"), [{ name: "p", expression: computedColumn("f", column, { type }) }]),
  );
  const all = computedColumn("u", "p", { type });
  return selectFrom({ relation: { kind: "union", parts }, alias: "u" }, [
    { name: "first", expression: sqlAggregate("min", all) },
    { name: "last", expression: sqlAggregate("max", all) },
  ]);
}

function recursive(
  name: string,
  axis: PeriodAxis,
  seed: NamedRelation["relation"],
  step: number,
  max: number | undefined,
): NamedRelation {
  const type = periodType(axis.grain);
  const [period, last] = [computedColumn("x", "p", { type }), computedColumn("x", "last", { type })];
  const count = computedColumn("x", "n", { type: "integer" });
  const next: SqlExpression = { kind: "shift", operand: period, count: step, grain: axis.grain, type };
  const more = selectFrom(
    namedRelation(name, "x"),
    [
      { name: "p", expression: next },
      { name: "last", expression: last },
      { name: "n", expression: sqlBinary("+", count, sqlLiteral("1", "integer"), { type: "integer" }) },
    ],
    {
      where: [
        sqlBinary("<=", next, last),
        ...(max === undefined ? [] : [sqlBinary("<", count, sqlLiteral(String(max), "integer"))]),
      ],
    },
  );
  if (seed.kind !== "select") return { name, relation: seed };
  return { name, relation: { kind: "union", parts: [seed, more] }, isRecursive: true };
}
