import { type ScoredLink, thresholds } from "./choose-joins.ts";
import type { CompositeLink } from "./composites/composite-links.ts";
import { InclusionProbe } from "./parents/inclusion.ts";
import type { ColumnSet, JoinChecks, OrphanCount } from "./profile.ts";
import type { ColumnFacts } from "./schema-facts.ts";

/** A link from columns of one table to a key of another or the same table, with its evidence. */
export interface FoundLink {
  readonly from: ColumnSet;
  readonly to: ColumnSet;
  /** The probability that a person would declare this link, from 0 to 1. */
  readonly score: number;
  readonly status: "accepted" | "review";
  readonly evidence: LinkEvidence;
}

interface LinkEvidence {
  /** The share of the child's rows with a value that have a parent. */
  readonly coverage: number;
  /** The number of rows with a value but without a parent. */
  readonly violations: number;
  /** Up to three values without a parent. */
  readonly examples: readonly string[];
  /** The signals for and against the link. */
  readonly signals: readonly LinkSignal[];
}

type LinkSignal =
  | "same name"
  | "similar name"
  | "other name"
  | "all values found"
  | "some values missing"
  | "one to one"
  | "link to itself"
  | "several columns"
  | "follows from a link of several columns";

export async function reportSingle(
  { link, score }: ScoredLink,
  all: readonly ScoredLink[],
  composites: readonly CompositeLink[],
  checks: JoinChecks,
): Promise<FoundLink> {
  const { child, parent, names } = link;
  const counts = link.counts ?? (await countOrphans(link, checks));
  const implied = composites.some((composite) => implies(composite, link, all));
  const signals: LinkSignal[] = [
    names.equal ? "same name" : names.score >= 0.3 ? "similar name" : "other name",
    counts.orphans === 0 ? "all values found" : "some values missing",
    ...(child.unique && child.distinct === parent.distinct ? (["one to one"] as const) : []),
    ...(child.table === parent.table ? (["link to itself"] as const) : []),
    ...(implied ? (["follows from a link of several columns"] as const) : []),
  ];
  return report([child], [parent], score, counts, signals, implied);
}

/**
 * Counts rows without a parent. Sends no query if all values are known and each has a parent. Returns an estimate if the query counts
 * nothing.
 */
async function countOrphans({ child, parent, covered }: ScoredLink["link"], checks: JoinChecks): Promise<OrphanCount> {
  const whole = child.table.profile.sampled !== true && new InclusionProbe(child).compare(parent).exact;
  if (whole && covered === 1) return { filled: child.filled, orphans: 0, examples: [] };
  const counts = await checks.countOrphans(setOf([child]), setOf([parent]));
  if (counts.filled > 0) return counts;
  return { filled: child.filled, orphans: Math.round((1 - covered) * child.filled), examples: [] };
}

/** Whether the composite link's own parent links to the same column, so that the single link adds no information. */
function implies(composite: CompositeLink, { child, parent }: ScoredLink["link"], all: readonly ScoredLink[]): boolean {
  const through = composite.parents[composite.children.indexOf(child)];
  if (through === undefined || composite.score < thresholds.accepted) return false;
  return through.table === parent.table || all.some(({ link }) => link.child === through && link.parent === parent);
}

export function reportComposite({ children, parents, score, counts }: CompositeLink): FoundLink {
  const found = counts.orphans === 0 ? "all values found" : "some values missing";
  return report(children, parents, score, counts, ["several columns", found], false);
}

function report(
  children: readonly ColumnFacts[],
  parents: readonly ColumnFacts[],
  score: number,
  { filled, orphans, examples }: OrphanCount,
  signals: readonly LinkSignal[],
  implied: boolean,
): FoundLink {
  return {
    from: setOf(children),
    to: setOf(parents),
    score,
    status: score >= thresholds.accepted && !implied ? "accepted" : "review",
    evidence: { coverage: filled === 0 ? 0 : 1 - orphans / filled, violations: orphans, examples, signals },
  };
}

export function setOf(columns: readonly ColumnFacts[]): ColumnSet {
  return { table: columns[0]?.table.profile.id ?? "", columns: columns.map(({ name }) => name) };
}
