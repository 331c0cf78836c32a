import { JoinSteps } from "../join-steps.ts";
import type { ColumnFacts } from "../schema-facts.ts";
import { ChildProbe, IndexedParent, ParentGroup, valueKindOf } from "./parent-group.ts";

/** The maximum number of possible parents. If a child has more, only the most likely ones are compared with it. */
const compared = 300;

/** In that case, the maximum number of parents with similar names, and of other parents. */
const alike = 120;
const strange = 60;

/** The columns that others may link to. Most of them are excluded without comparing sketches. */
export class ParentIndex {
  readonly #groups: readonly ParentGroup[];
  readonly #byWord = new Map<string, Set<IndexedParent>>();
  readonly #byStart = new Map<string, Set<string>>();
  readonly #size: number;

  private constructor(parents: readonly IndexedParent[], groups: readonly ParentGroup[]) {
    this.#size = parents.length;
    this.#groups = groups;
    for (const parent of parents) this.#addWords(parent);
  }

  static async create(columns: readonly ColumnFacts[], steps = new JoinSteps()): Promise<ParentIndex> {
    // The most likely first: first columns of tables, then those with fewer values.
    const order = (a: ColumnFacts, b: ColumnFacts) =>
      Number(a.position > 0) - Number(b.position > 0) || a.distinct - b.distinct;
    const parents = columns.toSorted(order).map((column, place) => new IndexedParent(column, place));
    const groups = [];
    for (const own of Map.groupBy(parents, ({ column }) => valueKindOf(column)).values()) {
      groups.push(await ParentGroup.create(own, steps));
    }
    return new ParentIndex(parents, groups);
  }

  /** Returns the parents that may contain the child's values, or in large schemas the most likely ones. */
  possibleFor(child: ColumnFacts): readonly ColumnFacts[] {
    const probe = new ChildProbe(child);
    const first = this.#groups.flatMap((group) => group.possibleFor(probe, compared + 1)).sort(byPlace);
    if (first.length <= compared) return first.map(({ column }) => column);
    const named = new Set<IndexedParent>();
    for (const parent of this.#nearTo(child)) {
      if (named.size === alike) break;
      if (probe.mayBeIn(parent)) named.add(parent);
    }
    const others = first.filter((parent) => !named.has(parent)).slice(0, strange);
    return [...named, ...others].sort(byPlace).map(({ column }) => column);
  }

  #addWords(parent: IndexedParent): void {
    const { column } = parent;
    for (const word of new Set([...column.words, ...column.table.words])) {
      const users = this.#byWord.get(word) ?? new Set();
      this.#byWord.set(word, users.add(parent));
      const start = word.slice(0, 2);
      const words = this.#byStart.get(start) ?? new Set();
      this.#byStart.set(start, words.add(word));
    }
  }

  /** Finds parents that share a word, or the beginning of one, with the child. Those with the most and rarest words come first. */
  #nearTo({ words }: ColumnFacts): readonly IndexedParent[] {
    const near = new Map<IndexedParent, number>();
    for (const { users, weight } of this.#findUses(words)) {
      // If there are enough parents, a frequent word counts only for parents that also have a rarer word.
      const isRare = near.size < alike || users.size <= Math.max(50, 0.1 * this.#size);
      for (const parent of isRare ? users : near.keys()) {
        if (isRare || users.has(parent)) near.set(parent, (near.get(parent) ?? 0) + weight);
      }
    }
    return [...near].sort(([a, first], [b, second]) => second - first || byPlace(a, b)).map(([parent]) => parent);
  }

  /** Finds words similar to the given ones, with the parents that have them. The rarest come first. */
  #findUses(words: readonly string[]): readonly WordUse[] {
    const found: WordUse[] = [];
    for (const word of new Set(words)) {
      for (const other of this.#byStart.get(word.slice(0, 2)) ?? []) {
        if (other.slice(0, 3) !== word.slice(0, 3) && !mayAbbreviate(word, other)) continue;
        const users = this.#byWord.get(other) ?? new Set();
        found.push({ users, weight: (other === word ? 1 : 0.3) * Math.log(1 + this.#size / users.size) });
      }
    }
    return found.sort((a, b) => a.users.size - b.users.size);
  }
}

interface WordUse {
  readonly users: ReadonlySet<IndexedParent>;
  /** How much the word counts as evidence for a parent. */
  readonly weight: number;
}

function byPlace(a: IndexedParent, b: IndexedParent): number {
  return a.place - b.place;
}

/** Whether one of two words is so much shorter that it may abbreviate the other. */
function mayAbbreviate(first: string, second: string): boolean {
  return Math.min(first.length, second.length) <= 4;
}
