import type { JoinSteps } from "./join-steps.ts";
import type { KeyCandidate } from "./key-candidates.ts";
import { compareLinkNames } from "./links/link-names.ts";
import { isComparable } from "./parents/parent-group.ts";
import type { JoinChecks, OrphanCount } from "./profile.ts";
import { RelatedTables, type Targets } from "./related-tables.ts";
import type { ColumnFacts, SchemaFacts, TableOfSchema } from "./schema-facts.ts";
import type { JoinCandidates } from "./score-candidates.ts";
import { compareSketches } from "./sketch.ts";

/** Columns of one table that together may link to a key of several columns. */
export interface CompositeLink {
  readonly children: readonly ColumnFacts[];
  /** In the order of the children. */
  readonly parents: readonly ColumnFacts[];
  readonly score: number;
  readonly counts: OrphanCount;
}

/** A pair of columns fits if its names fit this well, or if both columns link to the same one. */
const fitting = 0.4;

/** Finds links to the given keys of several columns. Asks once for each pair of tables whose columns fit one by one. */
export async function findCompositeLinks(
  keys: readonly KeyCandidate[],
  targets: Targets,
  { schema, keys: unique }: Pick<JoinCandidates, "schema" | "keys">,
  checks: JoinChecks,
  steps: JoinSteps,
): Promise<readonly CompositeLink[]> {
  const found: CompositeLink[] = [];
  const related = new RelatedTables(schema, targets);
  for (const key of keys) {
    const start = steps.next();
    if (start !== undefined) await start;
    if (key.columns.length === 1) continue;
    for (const table of related.to(key)) {
      const pause = steps.pause();
      if (pause !== undefined) await pause;
      if (table === key.table || table.rows === 0) continue;
      const pairs = pairColumns(table, key, targets, schema);
      if (pairs === undefined || pointsAway(pairs, targets)) continue;
      const link = await verify(pairs, unique, checks);
      if (link !== undefined) found.push(link);
    }
  }
  return withoutMirrors(found);
}

interface Pair {
  readonly child: ColumnFacts;
  readonly parent: ColumnFacts;
  readonly fit: number;
}

/** For each column of the key, the column of the table that fits best, or nothing if one has none. */
function pairColumns(
  table: TableOfSchema,
  key: KeyCandidate,
  targets: Targets,
  schema: SchemaFacts,
): readonly Pair[] | undefined {
  const pairs: Pair[] = [];
  for (const parent of key.columns) {
    const free = table.columns.filter((child) => child.filled > 0 && !pairs.some((pair) => pair.child === child));
    const [best] = free
      .map((child) => ({ child, parent, fit: fitOf(child, parent, targets, schema) }))
      .filter(({ child, fit }) => fit >= fitting && isComparable(child, parent) && isIncluded(child, parent))
      .sort((a, b) => b.fit - a.fit);
    if (best === undefined) return undefined;
    pairs.push(best);
  }
  return pairs;
}

function fitOf(child: ColumnFacts, parent: ColumnFacts, targets: Targets, schema: SchemaFacts): number {
  const name = compareLinkNames(child, parent, schema);
  const [from, to] = [targets.get(child), targets.get(parent)];
  const related = (from !== undefined && from === to) || from === parent || to === child;
  return Math.max(related ? 0.45 : 0, name.equal ? 1 : 0.9 * Math.min(name.parent, name.child));
}

function isIncluded(child: ColumnFacts, parent: ColumnFacts): boolean {
  const { rows, compared } = compareSketches(child.sketch, parent.sketch);
  return compared === 0 || rows >= 0.9;
}

/** Whether one column alone is what the others link to, so that the columns are the parent's own parent. */
function pointsAway(pairs: readonly Pair[], targets: Targets): boolean {
  return pairs.some(({ child, parent }) => child.unique && targets.get(parent) === child);
}

async function verify(
  pairs: readonly Pair[],
  unique: readonly KeyCandidate[],
  checks: JoinChecks,
): Promise<CompositeLink | undefined> {
  const children = pairs.map(({ child }) => child);
  const parents = pairs.map(({ parent }) => parent);
  const counts = await checks.countOrphans(setOf(children), setOf(parents));
  const { filled, orphans } = counts;
  if (filled === 0 || orphans > 0.1 * filled) return undefined;
  const score = scoreOf(pairs, orphans / filled) * (areSiblings(pairs, unique) ? 0.4 : 1);
  return { children, parents, score, counts };
}

/** Too few composite links are known to fit a model: names, completeness and luck count by hand. */
function scoreOf(pairs: readonly Pair[], orphans: number): number {
  const fit = pairs.reduce((product, pair) => product * pair.fit, 1);
  const space = pairs.reduce((product, { parent }) => product * parent.distinct, 1);
  const rows = Math.max(1, pairs[0]?.parent.table.rows ?? 1);
  const tuples = Math.min(pairs[0]?.child.table.rows ?? 1, space);
  const bits = Math.min(40, Math.min(tuples, 30) * Math.log2(Math.max(1, space / rows)));
  return (0.5 + 0.5 * Math.min(1, bits / 8)) * fit * (1 - 2 * orphans);
}

/** Whether the columns identify about as many rows on both sides, so that nothing says which is the parent. */
function areSiblings(pairs: readonly Pair[], unique: readonly KeyCandidate[]): boolean {
  const [child, parent] = [pairs[0]?.child.table, pairs[0]?.parent.table];
  if (child === undefined || parent === undefined || child.rows < 0.8 * parent.rows) return false;
  const children = pairs.map((pair) => pair.child);
  return unique.some((key) => key.table === child && key.columns.every((column) => children.includes(column)));
}

function setOf(columns: readonly ColumnFacts[]): { table: string; columns: readonly string[] } {
  return { table: columns[0]?.table.profile.id ?? "", columns: columns.map(({ name }) => name) };
}

/** Of two links between the same columns, the one with the higher score, then the one whose child has more rows, then the first. */
function withoutMirrors(links: readonly CompositeLink[]): readonly CompositeLink[] {
  const mirrors = (a: CompositeLink, b: CompositeLink) =>
    a.children.every((child) => b.parents.includes(child)) && a.parents.every((parent) => b.children.includes(parent));
  const rows = (link: CompositeLink) => link.children[0]?.table.rows ?? 0;
  const ranked = links.toSorted((a, b) => b.score - a.score || rows(b) - rows(a));
  return ranked.filter((link, index) => !ranked.slice(0, index).some((other) => mirrors(link, other)));
}
