import type { JoinSteps } from "../join-steps.ts";
import { InclusionProbe } from "../parents/inclusion.ts";
import { ParentIndex } from "../parents/parent-index.ts";
import type { JoinChecks } from "../profile.ts";
import { type ColumnFacts, hasFewNames, type SchemaFacts } from "../schema-facts.ts";
import { type LinkCandidate, LinkList } from "./link-list.ts";
import { compareLinkNames } from "./link-names.ts";

/** The minimum number of comparable values of two sketches. With fewer, the comparison proves nothing. */
const fewest = 8;

/** The maximum number of exact questions for each child with an inconclusive sketch. */
const asked = 3;

/**
 * If a column has only one distinct value, finding that value in a key proves nothing, because many keys contain it. The name similarity
 * must then be at least this.
 */
const telling = 0.5;

/** The number of candidates that are kept for each child. In large schemas, small integers are in hundreds of other columns. */
const kept = 40;

/** The number of possible parents above which only some hashes of a larger child are compared. */
const manyParents = 150;
const sampledHashes = 200;

export async function findLinkCandidates(schema: SchemaFacts, checks: JoinChecks, steps: JoinSteps): Promise<LinkList> {
  const parents = await ParentIndex.create(
    schema.columns.filter(
      ({ unique, usable, distinct, hidden }) => unique && usable && distinct >= 2 && hidden !== true,
    ),
    steps,
  );
  const found = new LinkList();
  for (const child of schema.columns) {
    if (child.filled > 0 && child.usable && child.hidden !== true) {
      found.add(child, await keepIncluded(child, parents.possibleFor(child), schema, checks));
    }
    const pause = steps.next();
    if (pause !== undefined) await pause;
  }
  return found;
}

async function keepIncluded(
  child: ColumnFacts,
  parents: readonly ColumnFacts[],
  schema: SchemaFacts,
  checks: JoinChecks,
): Promise<readonly LinkCandidate[]> {
  const found: LinkCandidate[] = [];
  const open: LinkCandidate[] = [];
  const max = parents.length > manyParents && !child.sketch.complete ? sampledHashes : Number.POSITIVE_INFINITY;
  const probe = new InclusionProbe(child);
  for (const parent of parents) {
    const { rows, compared, exact } = probe.compare(parent, max);
    const known = parent.table.profile.sampled !== true; // rows that were not read may have the values
    if (known && rows < 0.9 && (exact || compared >= fewest || (compared > 0 && rows < 0.5))) continue;
    const names = compareLinkNames(child, parent, schema);
    if (child.distinct === 1 && (names.score < telling || hasFewNames(schema))) continue;
    const candidate = { child, parent, covered: rows, names };
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

/** Sorts better names first, then first columns of tables, then parents with fewer values. */
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
