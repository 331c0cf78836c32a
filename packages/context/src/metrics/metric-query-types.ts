import type { MetricColumn, MetricRefusal } from "@bridle/semantic";
import type { StructuredValue, TableScope } from "@bridle/warehouse";

export interface QueryContext {
  /** The tables that the caller may read. */
  readonly scope?: TableScope | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface MetricPlan {
  readonly connection: string;
  readonly sql: string;
  /** Sentences that explain how the result is computed. */
  readonly explanation: readonly string[];
  /** Sentences that state the assumptions of the answer. */
  readonly assumptions: readonly string[];
  /** Columns in the order of the rows' values. */
  readonly columns: readonly MetricColumn[];
  /** The statement that computes the totals, if the query asks for them. */
  readonly totalsSql?: string | undefined;
}

/** A query that was compiled but not run. The keys of its joins were not checked. */
export interface PlannedMetrics extends MetricPlan {
  readonly kind: "planned";
  /** When an answer to this query was stored, in ISO 8601. That answer is used if the data have not changed since. */
  readonly storedAt?: string | undefined;
}

export interface AnsweredMetrics extends MetricPlan {
  readonly kind: "answered";
  /** The values of each row as in JSON: decimals and big integers are strings with all their digits. */
  readonly rows: readonly (readonly StructuredValue[])[];
  /** The measures over all rows, in the order of their columns. */
  readonly totals?: readonly StructuredValue[] | undefined;
  readonly truncated?: "rows" | "bytes" | undefined;
  /** The tables that the query read, as `schema.table`. */
  readonly tables: readonly string[];
  /** Tables from which the connection's row filters hide rows. */
  readonly filtered: readonly string[];
  /** Whether the rows come from an earlier run on the same data. */
  readonly isCached: boolean;
  readonly durationMs: number;
}

/** A query that was refused because no answer would be right. */
export interface RefusedMetrics {
  readonly kind: "refused";
  readonly refusal: MetricRefusal;
}

export type MetricOutcome = AnsweredMetrics | PlannedMetrics | RefusedMetrics;
