/** Describes the periods of the result, and the filters that limit them. */
import type { ParsedExpression } from "../expressions/expression.ts";
import type { TimeGrain } from "../expressions/time-grains.ts";
import { computedColumn, sqlBinary } from "../ir/build-expression.ts";
import type { SqlColumn, SqlExpression, SqlType } from "../ir/sql-expression.ts";
import { requireBoolean } from "../ir/type-rules.ts";
import { bindExpression } from "../plan/bind-expression.ts";
import type { KeyRequest } from "../plan/plan-context.ts";

/** A key that is a period. The relation with its periods has one column, `p`. */
export interface PeriodAxis {
  readonly key: KeyRequest;
  readonly grain: TimeGrain;
  /** The first day of a week, in days after Monday. */
  readonly weekStart: number;
  /** Conditions on the first day of a period, from filters on the key's time. */
  readonly cuts: readonly PeriodCut[];
  /** The name of the relation with the periods. Default: `periods`. */
  readonly periods?: string | undefined;
}

export function nameOfPeriods({ periods = "periods" }: PeriodAxis): string {
  return periods;
}

export type PeriodCut =
  | { readonly kind: "bound"; readonly operator: ">=" | "<"; readonly literal: SqlExpression }
  /** A condition that uses only the key's time, which is the period. */
  | { readonly kind: "condition"; readonly condition: ParsedExpression };

export function periodType(grain: TimeGrain): SqlType {
  return grain === "hour" ? "timestamp" : "date";
}

export function periodColumn(axis: PeriodAxis): SqlColumn {
  return computedColumn("p", "p", { type: periodType(axis.grain) });
}

export function cutConditions({ cuts }: PeriodAxis, period: SqlExpression): readonly SqlExpression[] {
  return cuts.map((cut) =>
    cut.kind === "bound"
      ? sqlBinary(cut.operator, period, cut.literal)
      : requireBoolean(bindExpression(cut.condition, () => period)),
  );
}

const nesting: Readonly<Record<TimeGrain, readonly TimeGrain[]>> = {
  hour: ["hour", "day", "week", "month", "quarter", "year"],
  day: ["day", "week", "month", "quarter", "year"],
  week: ["week"],
  month: ["month", "quarter", "year"],
  quarter: ["quarter", "year"],
  year: ["year"],
};

/** Whether each period of the larger grain consists of whole periods of the smaller grain. */
export function nestsIn(smaller: TimeGrain, larger: TimeGrain): boolean {
  return nesting[smaller].includes(larger);
}
