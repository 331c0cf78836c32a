/** The periods from the first to the last that the data have, as a relation with one column. */

import { type PeriodAxis, periodType } from "../facts/period-axis.ts";
import {
  computedColumn,
  namedRelation,
  selectFrom,
  sqlAggregate,
  sqlBinary,
  sqlLiteral,
} from "../ir/build-expression.ts";
import type { NamedRelation, SqlExpression } from "../ir/sql-expression.ts";

/** Engines limit how often a relation may refer to itself; two steps of this many periods are enough for all. */
const stride = 500;

export interface PeriodBounds {
  readonly first: SqlExpression;
  readonly last: SqlExpression;
}

/** `facts` are relations whose column of the key has the periods of the data. */
export function planPeriods(
  axis: PeriodAxis,
  facts: readonly string[],
  fixed: PeriodBounds | undefined,
): readonly NamedRelation[] {
  const type = periodType(axis.grain);
  const first = computedColumn("b", "first", { type });
  const last = computedColumn("b", "last", { type });
  const seeds = fixed
    ? selectFrom(undefined, [
        { name: "first", expression: fixed.first },
        { name: "last", expression: fixed.last },
      ])
    : boundsOf(axis, facts);
  const start = { name: "p", expression: first };
  const blocks = recursive(
    "blocks",
    axis,
    selectFrom(namedRelation("bounds", "b"), [start, { name: "last", expression: last }, zero], {
      where: [{ kind: "is_null", operand: first, isNegated: true, type: "boolean" }],
    }),
    stride,
    undefined,
  );
  const from = namedRelation("blocks", "b");
  const periods = recursive(
    "periods",
    axis,
    selectFrom(from, [
      { name: "p", expression: computedColumn("b", "p", { type }) },
      { name: "last", expression: last },
      zero,
    ]),
    1,
    stride - 1,
  );
  return [{ name: "bounds", relation: seeds }, blocks, periods];
}

const zero = { name: "n", expression: sqlLiteral("0", "integer") };

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
  most: number | undefined,
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
        ...(most === undefined ? [] : [sqlBinary("<", count, sqlLiteral(String(most), "integer"))]),
      ],
    },
  );
  if (seed.kind !== "select") return { name, relation: seed };
  return { name, relation: { kind: "union", parts: [seed, more] }, isRecursive: true };
}
