import type { KeyCandidate } from "../keys/key-candidates.ts";
import { compareLinkNames } from "../links/link-names.ts";
import { isComparable } from "../parents/parent-group.ts";
import type { ColumnFacts, SchemaFacts, TableOfSchema } from "../schema-facts.ts";
import { compareSketches } from "../sketch.ts";
import type { Targets } from "./related-tables.ts";

/** A child's column that may be equal to a column of the parent's key. */
export interface Pair {
  readonly child: ColumnFacts;
  readonly parent: ColumnFacts;
  /** How well the columns fit, from 0 to 1. */
  readonly fit: number;
  readonly equal: boolean;
  /** Whether both link to the same column, or one links to the other. */
  readonly related: boolean;
}

/** The minimum fit of names. A pair also fits if both columns link to the same column. */
const fitting = 0.4;

/** The fit of a pair that fits only by its values, beside another pair that fits. */
const byValues = 0.2;

/** The maximum number of columns to try for a key column without a fitting name. */
const tried = 2;

/**
 * Finds the table's best-fitting column for each column of the key. If no name fits a column of the key, such as a line number among
 * meaningless names, the columns with the most similar values are tried.
 */
export function pairColumns(
  table: TableOfSchema,
  key: KeyCandidate,
  targets: Targets,
  schema: SchemaFacts,
): readonly (readonly Pair[])[] {
  const pairs: Pair[] = [];
  const open: ColumnFacts[] = [];
  for (const parent of key.columns) {
    const free = table.columns.filter((child) => child.filled > 0 && !pairs.some((pair) => pair.child === child));
    const [best] = free
      .map((child) => pairOf(child, parent, targets, schema))
      .filter((pair) => pair.fit >= fitting && mayBeEqual(pair))
      .sort((a, b) => b.fit - a.fit);
    if (best !== undefined) pairs.push(best);
    else open.push(parent);
  }
  const [only] = open;
  if (only === undefined) return [pairs];
  if (open.length > 1 || pairs.length === 0 || targets.has(only)) return [];
  return pairByValues(table, only, pairs, targets).map((pair) => [...pairs, pair]);
}

/** Finds columns that link to nothing else and have the type and the values of the key's column. */
function pairByValues(
  table: TableOfSchema,
  parent: ColumnFacts,
  pairs: readonly Pair[],
  targets: Targets,
): readonly Pair[] {
  return table.columns
    .filter(
      (child) =>
        child.filled > 0 &&
        child.usable &&
        !child.dates &&
        !targets.has(child) &&
        !pairs.some((pair) => pair.child === child),
    )
    .filter((child) => child.distinct > 1 && child.distinct <= parent.distinct && child.type === parent.type)
    .map((child) => ({ child, parent, fit: byValues, equal: false, related: false }))
    .filter(mayBeEqual)
    .sort((a, b) => b.child.distinct - a.child.distinct)
    .slice(0, tried);
}

function pairOf(child: ColumnFacts, parent: ColumnFacts, targets: Targets, schema: SchemaFacts): Pair {
  const names = compareLinkNames(child, parent, schema);
  const [from, to] = [targets.get(child), targets.get(parent)];
  const related = (from !== undefined && from === to) || from === parent || to === child;
  const fit = Math.max(related ? 0.45 : 0, names.equal ? 1 : 0.9 * Math.min(names.parent, names.child));
  return { child, parent, fit, equal: names.equal, related };
}

function mayBeEqual({ child, parent }: Pair): boolean {
  if (!isComparable(child, parent)) return false;
  const { rows, compared } = compareSketches(child.sketch, parent.sketch);
  return compared === 0 || rows >= 0.9;
}
