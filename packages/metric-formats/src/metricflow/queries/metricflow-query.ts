import type { TimeConstraint } from "./time-constraint.ts";

/** A query in the form of `mf query`. */
export interface MetricFlowQuery {
  /** The metrics. If there are none, the query returns the values of groupBy. */
  readonly metrics: readonly string[];
  /** The groups, such as `metric_time__month` or `listing__country`. */
  readonly groupBy?: readonly string[] | undefined;
  readonly where?: readonly string[] | undefined;
  /** Names of metrics or of groupBy. A `-` before a name makes the order descending. */
  readonly orderBy?: readonly string[] | undefined;
  readonly limit?: number | undefined;
  /** Shows the minimum and maximum of a dimension. */
  readonly minMaxOnly?: boolean | undefined;
  /** False requests duplicate rows, which cannot be translated. */
  readonly dedupe?: boolean | undefined;
  /** The first and last moment of metric_time. */
  readonly time?: TimeConstraint | undefined;
  /** The first and last day of the time spine. Default: the whole project's time spine. */
  readonly spine?: { readonly from: string; readonly to: string } | undefined;
}
