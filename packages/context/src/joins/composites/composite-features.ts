import { type Features, numberOf } from "../features.ts";
import type { KeyCandidate } from "../keys/key-candidates.ts";
import type { OrphanCount } from "../profile.ts";
import type { SchemaFacts } from "../schema-facts.ts";
import type { Pair } from "./pair-columns.ts";

/** Pairs of columns that may link together, and the known facts about them. */
export interface PairedTables {
  readonly pairs: readonly Pair[];
  /** The probability that the columns of the parent are its key. */
  readonly key: number;
  /** The unique column sets of the child's table. */
  readonly unique: readonly KeyCandidate[];
  readonly counts: OrphanCount;
}

export function describeComposite({ pairs, key, unique, counts }: PairedTables, schema: SchemaFacts): Features {
  const [child, parent] = [pairs[0]?.child.table, pairs[0]?.parent.table];
  if (child === undefined || parent === undefined) return { always: 1 };
  const share = (isSo: (pair: Pair) => boolean) => pairs.filter(isSo).length / pairs.length;
  const own = unique.filter(({ columns }) => columns.every((column) => pairs.some((pair) => pair.child === column)));
  const whole = own.some(({ columns }) => columns.length === pairs.length);
  const luck = Math.min(40, luckOf(pairs)) / 40;
  const fits = pairs.map(({ fit }) => fit);
  const ratio = Math.log2(Math.max(1, child.rows) / Math.max(1, parent.rows));
  return {
    min: Math.min(...fits),
    product: fits.reduce((product, fit) => product * fit, 1),
    equal: share((pair) => pair.equal),
    related: share((pair) => pair.related),
    byValues: numberOf(Math.min(...fits) < 0.4),
    luck,
    byValuesLuck: numberOf(Math.min(...fits) < 0.4) * luck,
    orphans: 10 * (counts.orphans / counts.filled),
    complete: numberOf(counts.orphans === 0),
    size: pairs.length - 2,
    key,
    // If both sides identify the same number of rows, either or neither may be the parent.
    siblings: numberOf(own.length > 0 && child.rows >= 0.8 * parent.rows),
    childKey: numberOf(whole),
    partOfKey: numberOf(own.length > 0 && !whole),
    ratio: Math.max(-1, Math.min(1, ratio / 4)),
    ends: schema.vocabulary.covered(parent.words, child.words),
    reach: Math.min(1, tuplesOf(pairs) / Math.max(1, parent.rows)),
    always: 1,
  };
}

/** Returns how unlikely it is, in bits, that the parent contains all tuples of the child by chance. */
function luckOf(pairs: readonly Pair[]): number {
  const rows = Math.max(1, pairs[0]?.parent.table.rows ?? 1);
  const space = pairs.reduce((product, { parent }) => product * parent.distinct, 1);
  return Math.min(tuplesOf(pairs), 30) * Math.log2(Math.max(1, space / rows));
}

/** Returns the maximum number of different tuples of the child. */
function tuplesOf(pairs: readonly Pair[]): number {
  const space = pairs.reduce((product, { child }) => product * child.distinct, 1);
  return Math.min(pairs[0]?.child.table.rows ?? 1, space);
}
