import type { MetricQuery } from "../../src/query/query-schema.ts";
import type { MetricRefusalReason } from "../../src/refusals/metric-refusal.ts";

/** A query over the shop. The reference is written by hand for DuckDB. The naive statement is a plausible but wrong translation. */
export type MetricCase = { readonly title: string; readonly query: MetricQuery } & (
  | {
      readonly reference: string;
      readonly naive: string;
      /** The measures over all rows, without dimensions, if the query asks for totals. */
      readonly totals?: string;
    }
  | { readonly refused: MetricRefusalReason }
);
