import type { ColumnFacts, SchemaFacts } from "../schema-facts.ts";

/** How well a column's name fits the column that it may link to, and that column's table. Each number is from 0 to 1. */
export interface LinkNames {
  /** Whether both columns have the same name, and few keys have this name. */
  readonly equal: boolean;
  /** The share of the child's words in the parent's column or table. */
  readonly child: number;
  /** The share of the parent table's words in the child's name. */
  readonly table: number;
  /** The share of the parent column's words in the child's name. */
  readonly parent: number;
  /** The share of the child's words in the name of its own table. */
  readonly own: number;
  /** How well the name of the parent's table fits the combined name of the child's table and column, as `film_kind` fits `film.kind`. */
  readonly context: number;
  /** The share of the parent table's words in the name of the child's table. */
  readonly ends: number;
  /** A score that combines all of these. */
  readonly score: number;
}

export function compareLinkNames(child: ColumnFacts, parent: ColumnFacts, schema: SchemaFacts): LinkNames {
  const { vocabulary } = schema;
  const generic = parent.words.length === 1 && schema.genericWords.has(parent.words[0] ?? "");
  const same = child.name.toLowerCase() === parent.name.toLowerCase() || areEqual(child.words, parent.words);
  const inTarget = vocabulary.covered(child.words, [...parent.table.words, ...parent.words]);
  const inParent = vocabulary.covered(child.words, parent.words);
  const table = vocabulary.covered(parent.table.words, child.words);
  const parentWords = vocabulary.covered(parent.words, child.words);
  const foreign = child.table !== parent.table;
  const telling = child.words.filter((word) => !schema.genericWords.has(word));
  const context = !foreign
    ? 0
    : vocabulary.covered(telling, parent.table.words) *
      vocabulary.covered(parent.table.words, [...child.table.words, ...child.words]);
  const score = Math.max(
    0.9 * context,
    same ? (generic ? 0.2 : 1) : 0,
    Math.min(inTarget, 0.4 + 0.6 * table) * (0.5 + 0.5 * table),
    0.95 * Math.min(inParent, parentWords) * (generic ? 0.2 : 1),
  );
  return {
    equal: same && !generic,
    child: inTarget,
    table,
    parent: generic ? 0 : parentWords,
    own: vocabulary.covered(child.words, child.table.words),
    context,
    ends: foreign ? vocabulary.covered(parent.table.words, child.table.words) : 0,
    score,
  };
}

function areEqual(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((word, at) => word === others[at]);
}
