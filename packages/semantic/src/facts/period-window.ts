/** Determines which earlier periods a cumulative measure adds up for one period of the result. */

import type { TimeGrain } from "../expressions/time-grains.ts";
import { sqlBinary } from "../ir/build-expression.ts";
import type { SqlExpression } from "../ir/sql-expression.ts";
import type { Leaf } from "../plan/leaf.ts";
import type { PlanContext } from "../plan/plan-context.ts";
import { stepBack } from "./offset-steps.ts";
import { nestsIn, type PeriodAxis, periodType } from "./period-axis.ts";

type Cumulative = Extract<Leaf["behaviour"], { kind: "cumulative" }>;

/**
 * Returns the grain by which rows are added up first, if the window does not consist of whole periods of the query, such as 31 days by
 * month. Such a window ends with the last day, or the last hour, of each period.
 */
export function finerGrain({ window, toDate }: Cumulative, grain: TimeGrain): "day" | "hour" | undefined {
  const looks = [window?.grain, toDate].filter((each) => each !== undefined);
  if (looks.every((each) => nestsIn(grain, each))) return undefined;
  return looks.includes("hour") ? "hour" : "day";
}

/** Returns the same keys, with a finer grain on the axis. */
export function withFinerAxis(context: PlanContext, { key }: PeriodAxis, grain: TimeGrain): PlanContext {
  return { ...context, keys: context.keys.map((each) => (each === key ? { ...each, grain } : each)) };
}

/** Returns the query's period that contains an earlier period. */
export function periodAround(ofBase: SqlExpression, { grain, weekStart }: PeriodAxis, finer: string | undefined) {
  const around: SqlExpression = { kind: "truncate", operand: ofBase, grain, weekStart, type: periodType(grain) };
  return finer === undefined ? ofBase : around;
}

/** Writes the conditions under which an earlier period is added to this one. */
export function isInWindow(
  behaviour: Cumulative,
  ofBase: SqlExpression,
  period: SqlExpression,
  axis: PeriodAxis,
): readonly SqlExpression[] {
  const { weekStart } = axis;
  const until = stepBack(period, behaviour.before, weekStart);
  const finer = finerGrain(behaviour, axis.grain);
  if (finer !== undefined) return isInFinerWindow(behaviour, ofBase, until, axis, finer);
  const { window, toDate } = behaviour;
  const upTo = sqlBinary("<=", ofBase, until);
  if (window) return [upTo, sqlBinary(">", ofBase, shifted(until, -window.count, window.grain))];
  return toDate ? [upTo, sqlBinary(">=", ofBase, startOf(until, toDate, weekStart))] : [upTo];
}

function isInFinerWindow(
  { window, toDate }: Cumulative,
  ofBase: SqlExpression,
  until: SqlExpression,
  { grain, weekStart }: PeriodAxis,
  finer: TimeGrain,
): readonly SqlExpression[] {
  const end = ofType(shifted(until, 1, grain), ofBase.type);
  const before = sqlBinary("<", ofBase, end);
  if (window) return [before, sqlBinary(">=", ofBase, shifted(end, -window.count, window.grain))];
  if (!toDate) return [before];
  return [before, sqlBinary(">=", ofBase, ofType(startOf(shifted(end, -1, finer), toDate, weekStart), ofBase.type))];
}

function shifted(operand: SqlExpression, count: number, grain: TimeGrain): SqlExpression {
  return { kind: "shift", operand, count, grain, type: operand.type };
}

function startOf(operand: SqlExpression, grain: TimeGrain, weekStart: number): SqlExpression {
  return { kind: "truncate", operand, grain, weekStart, type: periodType(grain) };
}

/** Casts a day to its midnight when it is compared with hours. */
function ofType(operand: SqlExpression, type: SqlExpression["type"]): SqlExpression {
  return operand.type === type ? operand : { kind: "cast", operand, type };
}
