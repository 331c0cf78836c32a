import { compareLinkNames, type LinkNames } from "./link-names.ts";
import type { JoinChecks, OrphanCount } from "./profile.ts";
import type { ColumnFacts, SchemaFacts } from "./schema-facts.ts";
import { compareSketches } from "./sketch.ts";

/** A column whose values another, unique column contains, at least 90 % of its rows. */
export interface LinkCandidate {
  readonly child: ColumnFacts;
  readonly parent: ColumnFacts;
  /** The share of the child's rows that have a value in the parent. */
  readonly covered: number;
  readonly names: LinkNames;
  /** The exact counts, if the sketches said too little. */
  readonly counts?: OrphanCount;
}

/** Sketches that share fewer comparable values than this prove nothing. */
const fewest = 8;

/** Exact questions for each child whose sketch says too little. */
const asked = 3;

/** In large schemas, small integers are in hundreds of other columns. So many are compared with each other. */
const kept = 40;

export async function findLinkCandidates(schema: SchemaFacts, checks: JoinChecks): Promise<readonly LinkCandidate[]> {
  const parents = schema.columns.filter(
    ({ unique, usable, distinct, hidden }) => unique && usable && distinct >= 2 && hidden !== true,
  );
  const found: LinkCandidate[] = [];
  for (const child of schema.columns.filter(({ filled, usable, hidden }) => filled > 0 && usable && hidden !== true)) {
    const fitting = parents.filter((parent) => parent !== child && isComparable(child, parent));
    found.push(...(await keepIncluded(child, fitting, schema, checks)));
  }
  return found;
}

/** Whether two columns contain values of one kind. */
export function isComparable(child: ColumnFacts, parent: ColumnFacts): boolean {
  const code = child.numbers && child.integers && parent.meanLength < 20;
  return (child.numbers === parent.numbers || code) && child.dates === parent.dates;
}

async function keepIncluded(
  child: ColumnFacts,
  parents: readonly ColumnFacts[],
  schema: SchemaFacts,
  checks: JoinChecks,
): Promise<readonly LinkCandidate[]> {
  const found: LinkCandidate[] = [];
  const open: LinkCandidate[] = [];
  for (const parent of parents.filter((each) => withinRange(child, each))) {
    const { rows, compared } = compareSketches(child.sketch, parent.sketch, 0.1 * child.filled);
    const exact = child.sketch.complete && parent.sketch.complete;
    const known = parent.table.profile.sampled !== true; // rows that were not read may have the values
    if (known && rows < 0.9 && (exact || compared >= fewest || (compared > 0 && rows < 0.5))) continue;
    const candidate = { child, parent, covered: rows, names: compareLinkNames(child, parent, schema) };
    const certain = known && (exact || compared >= 64);
    (certain ? found : open).push(candidate);
  }
  for (const candidate of open.toSorted(byLikelihood).slice(0, asked)) {
    const counts = await checks.countOrphans(setOf(child), setOf(candidate.parent));
    const covered = counts.filled === 0 ? 0 : 1 - counts.orphans / counts.filled;
    if (covered >= 0.9) found.push({ ...candidate, covered, counts });
  }
  return found.toSorted(byLikelihood).slice(0, kept);
}

/** Better names first, then first columns of tables, then parents that have fewer values. */
function byLikelihood(a: LinkCandidate, b: LinkCandidate): number {
  return (
    b.names.score - a.names.score ||
    Number(a.parent.position > 0) - Number(b.parent.position > 0) ||
    a.parent.distinct - b.parent.distinct
  );
}

function setOf(column: ColumnFacts): { table: string; columns: readonly string[] } {
  return { table: column.table.profile.id, columns: [column.name] };
}

/** Whether the child's numbers can lie in the parent at all. Orphans may lie a little outside. */
function withinRange(child: ColumnFacts, parent: ColumnFacts): boolean {
  if (child.distinct - parent.distinct > 0.1 * child.filled) return false;
  if (child.range === undefined || parent.range === undefined || child.sketch.complete) return true;
  const span = 0.1 * (parent.range[1] - parent.range[0]);
  return child.range[0] >= parent.range[0] - span && child.range[1] <= parent.range[1] + span;
}
