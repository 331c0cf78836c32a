import type { MetricQuery } from "../../src/query/query-schema.ts";
import type { MetricRefusalReason } from "../../src/refusals/metric-refusal.ts";

/** A query of the shop. The reference is written by hand for DuckDB. The naive statement is a plausible translation that is wrong. */
export type MetricCase = { readonly title: string; readonly query: MetricQuery } & (
  | {
      readonly reference: string;
      readonly naive: string;
      /** The measures over all rows, if the query asks for totals. The dimensions are left out. */
      readonly totals?: string;
    }
  | { readonly refused: MetricRefusalReason }
);
