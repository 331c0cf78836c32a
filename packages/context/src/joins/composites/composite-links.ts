import type { Features } from "../features.ts";
import type { JoinSteps } from "../join-steps.ts";
import type { KeyCandidate } from "../keys/key-candidates.ts";
import type { JoinChecks, OrphanCount } from "../profile.ts";
import type { ColumnFacts } from "../schema-facts.ts";
import type { JoinCandidates } from "../scores/join-candidates.ts";
import { describeComposite } from "./composite-features.ts";
import { type Pair, pairColumns } from "./pair-columns.ts";
import { RelatedTables, type Targets } from "./related-tables.ts";

/** Columns of one table that together may link to a key of several columns. */
export interface CompositeCandidate {
  readonly children: readonly ColumnFacts[];
  /** The parent columns, in the order of `children`. */
  readonly parents: readonly ColumnFacts[];
  /** The parents as a key candidate of their table. */
  readonly key: KeyCandidate;
  readonly features: Features;
  readonly counts: OrphanCount;
}

export interface CompositeLink extends CompositeCandidate {
  readonly score: number;
}

/** The keys to compare, each with its probability. */
export type ComparedKeys = ReadonlyMap<KeyCandidate, number>;

/**
 * Finds possible links to the given keys of several columns. Sends one query for each set of columns that match the key's columns one by
 * one.
 */
export async function findCompositeLinks(
  keys: ComparedKeys,
  targets: Targets,
  { schema, keys: all }: Pick<JoinCandidates, "schema" | "keys">,
  checks: JoinChecks,
  steps: JoinSteps,
): Promise<readonly CompositeCandidate[]> {
  const found: CompositeCandidate[] = [];
  const related = new RelatedTables(schema, targets);
  const unique = Map.groupBy(all, ({ table }) => table);
  for (const [key, score] of keys) {
    const start = steps.next();
    if (start !== undefined) await start;
    if (key.columns.length === 1) continue;
    for (const table of related.to(key)) {
      const pause = steps.pause();
      if (pause !== undefined) await pause;
      if (table === key.table || table.rows === 0) continue;
      for (const pairs of pairColumns(table, key, targets, schema)) {
        if (pointsAway(pairs, targets)) continue;
        const counts = await countMissing(pairs, checks);
        if (counts === undefined) continue;
        const features = describeComposite({ pairs, key: score, unique: unique.get(table) ?? [], counts }, schema);
        found.push({ ...endsOf(pairs), key, features, counts });
      }
    }
  }
  return found;
}

/** Whether one of the parents links to its child alone, so that the child is the parent's own parent. */
function pointsAway(pairs: readonly Pair[], targets: Targets): boolean {
  return pairs.some(({ child, parent }) => child.unique && targets.get(parent) === child);
}

/** Counts the rows without a parent; undefined if there are too many. */
async function countMissing(pairs: readonly Pair[], checks: JoinChecks): Promise<OrphanCount | undefined> {
  const { children, parents } = endsOf(pairs);
  const counts = await checks.countOrphans(setOf(children), setOf(parents));
  return counts.filled === 0 || counts.orphans > 0.1 * counts.filled ? undefined : counts;
}

function endsOf(pairs: readonly Pair[]): Pick<CompositeCandidate, "children" | "parents"> {
  return { children: pairs.map(({ child }) => child), parents: pairs.map(({ parent }) => parent) };
}

function setOf(columns: readonly ColumnFacts[]): { table: string; columns: readonly string[] } {
  return { table: columns[0]?.table.profile.id ?? "", columns: columns.map(({ name }) => name) };
}

/** If two links have the same columns, keeps the one with the higher score, then the one with more rows in the child, then the first. */
export function withoutMirrors(links: readonly CompositeLink[]): readonly CompositeLink[] {
  const mirrors = (a: CompositeLink, b: CompositeLink) =>
    a.children.every((child) => b.parents.includes(child)) && a.parents.every((parent) => b.children.includes(parent));
  const rows = (link: CompositeLink) => link.children[0]?.table.rows ?? 0;
  const ranked = links.toSorted((a, b) => b.score - a.score || rows(b) - rows(a));
  return ranked.filter((link, index) => !ranked.slice(0, index).some((other) => mirrors(link, other)));
}
