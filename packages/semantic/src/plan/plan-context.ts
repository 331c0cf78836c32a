import type { TimeGrain } from "../expressions/time-grains.ts";
import type { SqlExpression } from "../ir/sql-expression.ts";
import type { PartOfTime } from "../models/model-schema.ts";
import type { ModelSet } from "../models/model-set.ts";
import type { ParsedMetricQuery } from "../query/query-schema.ts";
import type { GroupMetrics } from "./group-metric.ts";
import type { AliasCounter } from "./join-tree.ts";

/** The shared state of all parts of one plan. */
export interface PlanContext {
  readonly models: ModelSet;
  readonly query: ParsedMetricQuery;
  readonly keys: readonly KeyRequest[];
  readonly via: readonly string[];
  readonly zone: string | undefined;
  /** The first day of a week, in days after Monday. */
  readonly weekStart: number;
  readonly aliases: AliasCounter;
  /** The metrics that filters compare. */
  readonly groups: GroupMetrics;
  /** `words` explains in sentences how the result is computed. `assumptions` lists what this computation assumes. */
  readonly words: string[];
  readonly assumptions: Set<string>;
  /** Rows outside these periods do not count. */
  readonly within: PeriodsWithin | undefined;
}

/** The first and the last period of a key. */
export interface PeriodsWithin {
  readonly key: KeyRequest;
  readonly first: SqlExpression;
  readonly last: SqlExpression;
}

/** A dimension of the query. Its column in each fact is `k0`, `k1`, … */
export interface KeyRequest {
  readonly column: string;
  /** The name of the column in the result. */
  readonly alias: string;
  readonly field: string | undefined;
  /** The fields of each measure or model on a shared time axis. */
  readonly time: Readonly<Record<string, string>> | undefined;
  readonly grain: TimeGrain | undefined;
  readonly part: PartOfTime | undefined;
}
