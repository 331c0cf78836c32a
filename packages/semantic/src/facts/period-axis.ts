/** The periods of the result, and what cuts them. */
import { computedColumn, sqlBinary } from "../ir/build-expression.ts";
import type { SqlColumn, SqlExpression, SqlType } from "../ir/sql-expression.ts";
import type { TimeGrain } from "../models/model-schema.ts";
import type { KeyRequest } from "../plan/plan-context.ts";

/** The key of the query that is a period. Its relation `periods` has one column `p`. */
export interface PeriodAxis {
  readonly key: KeyRequest;
  readonly grain: TimeGrain;
  /** Days after Monday. */
  readonly weekStart: number;
  /** Conditions on the first day of a period, from filters on the time of the key. */
  readonly cuts: readonly PeriodCut[];
}

export interface PeriodCut {
  readonly operator: ">=" | "<";
  readonly literal: SqlExpression;
}

export function periodType(grain: TimeGrain): SqlType {
  return grain === "hour" ? "timestamp" : "date";
}

export function periodColumn(axis: PeriodAxis): SqlColumn {
  return computedColumn("p", "p", { type: periodType(axis.grain) });
}

export function cutConditions({ cuts }: PeriodAxis, period: SqlExpression): readonly SqlExpression[] {
  return cuts.map(({ operator, literal }) => sqlBinary(operator, period, literal));
}

const nesting: Readonly<Record<TimeGrain, readonly TimeGrain[]>> = {
  hour: ["hour", "day", "week", "month", "quarter", "year"],
  day: ["day", "week", "month", "quarter", "year"],
  week: ["week"],
  month: ["month", "quarter", "year"],
  quarter: ["quarter", "year"],
  year: ["year"],
};

/** Whether each period of the larger grain consists of whole periods of the smaller. */
export function nestsIn(smaller: TimeGrain, larger: TimeGrain): boolean {
  return nesting[smaller].includes(larger);
}
