import { chooseKeys, chooseLinks, type ScoredLink, thresholds } from "./choose-joins.ts";
import { type CompositeLink, findCompositeLinks } from "./composite-links.ts";
import { findKeyCandidates } from "./key-candidates.ts";
import { findLinkCandidates } from "./link-candidates.ts";
import { InclusionProbe } from "./parents/inclusion.ts";
import type { ColumnSet, JoinChecks, OrphanCount, TableProfile } from "./profile.ts";
import { type ColumnFacts, describeSchema } from "./schema-facts.ts";
import { type JoinCandidates, type JoinModelSets, type JoinScores, scoreCandidates } from "./score-candidates.ts";
import { joinModels } from "./weights.ts";

/** A key that the data have, whether or not it is declared. */
export interface FoundKey extends ColumnSet {
  /** How probably it is the key that a person would declare, of 0 to 1. */
  readonly score: number;
}

/** A link from columns of one table to a key of another or the same table, with what speaks for it. */
export interface FoundLink {
  readonly from: ColumnSet;
  readonly to: ColumnSet;
  /** How probably a person would declare it, of 0 to 1. */
  readonly score: number;
  readonly status: "accepted" | "review";
  readonly evidence: LinkEvidence;
}

interface LinkEvidence {
  /** The share of the child's rows with a value that have a parent. */
  readonly coverage: number;
  /** The rows with a value that have none. */
  readonly violations: number;
  /** Up to three values without a parent. */
  readonly examples: readonly string[];
  /** What spoke for the link, and what against it. */
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

export interface FoundJoins {
  readonly keys: readonly FoundKey[];
  readonly links: readonly FoundLink[];
}

/**
 * Finds keys and links from measured facts, without a model of language. It asks at most three questions for each table, one for
 * each link that it reports, and one for each other pair of columns that may be a link and whose sketches say too little.
 */
export async function findJoins(tables: readonly TableProfile[], checks: JoinChecks): Promise<FoundJoins> {
  return judgeCandidates(await findCandidates(tables, checks), joinModels, checks);
}

export async function findCandidates(tables: readonly TableProfile[], checks: JoinChecks): Promise<JoinCandidates> {
  const schema = describeSchema(tables);
  const keys = [];
  for (const table of schema.tables) keys.push(...(await findKeyCandidates(table, checks)));
  return { schema, keys, links: await findLinkCandidates(schema, checks) };
}

/** Scores candidates with the given models and measures the links that are worth reporting. */
export async function judgeCandidates(
  candidates: JoinCandidates,
  models: JoinModelSets,
  checks: JoinChecks,
): Promise<FoundJoins> {
  const scores = scoreCandidates(candidates, models);
  const keys = chooseKeys(scores);
  const single = chooseLinks(scores);
  const composite = await findComposites(candidates, scores, single, checks);
  const links: FoundLink[] = [];
  links.push(...composite.map(reportComposite));
  for (const link of single) links.push(await reportSingle(link, single, composite, checks));
  return {
    keys: keys.map(({ key, score }) => ({ ...setOf(key.columns), score })),
    links: links.toSorted((a, b) => b.score - a.score),
  };
}

async function findComposites(
  candidates: JoinCandidates,
  scores: JoinScores,
  single: readonly ScoredLink[],
  checks: JoinChecks,
): Promise<readonly CompositeLink[]> {
  const accepted = single.filter(({ score }) => score >= thresholds.accepted);
  const targets = new Map(accepted.map(({ link }) => [link.child, link.parent]));
  const keys = [...scores.keys]
    .filter(([{ minimal }, score]) => score >= (minimal ? thresholds.compared : thresholds.review))
    .map(([key]) => key);
  const found = await findCompositeLinks(keys, targets, candidates, checks);
  return found.filter(({ score }) => score >= thresholds.review);
}

async function reportSingle(
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

/** If all values are known and each has a parent, there is nothing to ask. What cannot be asked is estimated. */
async function countOrphans({ child, parent, covered }: ScoredLink["link"], checks: JoinChecks): Promise<OrphanCount> {
  const whole = child.table.profile.sampled !== true && new InclusionProbe(child).compare(parent).exact;
  if (whole && covered === 1) return { filled: child.filled, orphans: 0, examples: [] };
  const counts = await checks.countOrphans(setOf([child]), setOf([parent]));
  if (counts.filled > 0) return counts;
  return { filled: child.filled, orphans: Math.round((1 - covered) * child.filled), examples: [] };
}

/** Whether the composite link's own parent links to the same column, so that the single link says nothing new. */
function implies(composite: CompositeLink, { child, parent }: ScoredLink["link"], all: readonly ScoredLink[]): boolean {
  const at = composite.children.indexOf(child);
  const through = composite.parents[at];
  if (through === undefined || composite.score < thresholds.accepted) return false;
  return through.table === parent.table || all.some(({ link }) => link.child === through && link.parent === parent);
}

function reportComposite({ children, parents, score, counts }: CompositeLink): FoundLink {
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

function setOf(columns: readonly ColumnFacts[]): ColumnSet {
  return { table: columns[0]?.table.profile.id ?? "", columns: columns.map(({ name }) => name) };
}
