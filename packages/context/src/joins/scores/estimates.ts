import type { KeyNames } from "../keys/key-names.ts";
import type { Conventions } from "../links/conventions.ts";
import type { ColumnFacts } from "../schema-facts.ts";

/** The results of earlier rounds for a column, each from 0 to 1. */
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
