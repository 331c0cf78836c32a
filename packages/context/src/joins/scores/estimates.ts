import type { KeyNames } from "../keys/key-names.ts";
import type { Conventions } from "../links/conventions.ts";
import type { ColumnFacts } from "../schema-facts.ts";

/** The probabilities from earlier rounds for a column, from 0 to 1. */
export interface Estimate {
  /** That the column alone is the key of its table. */
  readonly key: number;
  /** That the column links to another one. */
  readonly links: number;
  /** That another column links to this one. */
  readonly linked: number;
  /** How many columns of other tables have their values in this one. Not a probability. */
  readonly arrivals: number;
}

export interface Estimates {
  readonly columns: ReadonlyMap<ColumnFacts, Estimate>;
  /** The common traits of the schema's links. Undefined until links are scored. */
  readonly conventions?: Conventions | undefined;
  /** Names of columns that are unique in several tables. Undefined until keys are scored. */
  readonly keyNames?: KeyNames | undefined;
  /** The scores of the links, by their position in the list. */
  readonly scoreAt?: ((place: number) => number) | undefined;
}

const unknown: Estimate = { key: 0, links: 0, linked: 0, arrivals: 0 };

export function estimateOf(estimates: Estimates, column: ColumnFacts): Estimate {
  return estimates.columns.get(column) ?? unknown;
}
