import type { ColumnFacts } from "./schema-facts.ts";

/** What earlier rounds found about a column, each of 0 to 1. */
export interface Estimate {
  /** That it is the key of its table alone. */
  readonly key: number;
  /** That it links to another column. */
  readonly links: number;
  /** That another column links to it. */
  readonly linked: number;
  /** How many columns of other tables it contains, by their values alone. Not a probability. */
  readonly arrivals: number;
}

export type Estimates = ReadonlyMap<ColumnFacts, Estimate>;

const unknown: Estimate = { key: 0, links: 0, linked: 0, arrivals: 0 };

export function estimateOf(estimates: Estimates, column: ColumnFacts): Estimate {
  return estimates.get(column) ?? unknown;
}

/** Facts about a candidate by name, each a small number. */
export type Features = Readonly<Record<string, number>>;

export function numberOf(claim: boolean): number {
  return claim ? 1 : 0;
}
