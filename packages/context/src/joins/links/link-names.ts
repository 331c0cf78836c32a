import type { ColumnFacts, SchemaFacts } from "../schema-facts.ts";

/** How the name of a column fits the column and the table that it may link to. Each number is of 0 to 1. */
export interface LinkNames {
  /** Whether both columns have the same name, and it is not one that many keys have. */
  readonly equal: boolean;
  /** How much of the child's words are in the parent's column or table. */
  readonly child: number;
  /** How much of the parent table's words are in the child's name. */
  readonly table: number;
  /** How much of the parent column's words are in the child's name. */
  readonly parent: number;
  /** How much of the child's words are in the name of its own table. */
  readonly own: number;
  /** All of these together. */
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
  const score = Math.max(
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
    score,
  };
}

function areEqual(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((word, at) => word === others[at]);
}
