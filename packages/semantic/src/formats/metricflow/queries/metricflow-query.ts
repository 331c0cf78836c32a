import type { TimeConstraint } from "./time-constraint.ts";

/** A query as `mf query` takes it. */
export interface MetricFlowQuery {
  /** Without metrics, the values of groupBy. */
  readonly metrics: readonly string[];
  /** Such as `metric_time__month` or `listing__country`. */
  readonly groupBy?: readonly string[] | undefined;
  readonly where?: readonly string[] | undefined;
  /** Names of metrics or of groupBy, with `-` before those that descend. */
  readonly orderBy?: readonly string[] | undefined;
  readonly limit?: number | undefined;
  /** Shows the least and the greatest value of a dimension. */
  readonly minMaxOnly?: boolean | undefined;
  /** False asks for rows that are equal, which has no translation. */
  readonly dedupe?: boolean | undefined;
  /** The first and last moment of metric_time. */
  readonly time?: TimeConstraint | undefined;
  /** The first and last day of the time spine. Default: those of the project's time spine. */
  readonly spine?: { readonly from: string; readonly to: string } | undefined;
}
