import { chooseKeys, chooseLinks, type ScoredKey, type ScoredLink, thresholds } from "./choose-joins.ts";
import {
  type ComparedKeys,
  type CompositeCandidate,
  type CompositeLink,
  findCompositeLinks,
  withoutMirrors,
} from "./composites/composite-links.ts";
import { JoinSteps } from "./join-steps.ts";
import { findKeyCandidates } from "./keys/key-candidates.ts";
import { findLinkCandidates } from "./links/link-candidates.ts";
import { InclusionProbe } from "./parents/inclusion.ts";
import type { ColumnSet, JoinChecks, OrphanCount, TableProfile } from "./profile.ts";
import { type ColumnFacts, describeSchema } from "./schema-facts.ts";
import {
  type JoinCandidates,
  type JoinModelSets,
  type LogisticModel,
  modelsFor,
  scoreCandidates,
  scoreFeatures,
} from "./score-candidates.ts";
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
export async function findJoins(
  tables: readonly TableProfile[],
  checks: JoinChecks,
  steps = new JoinSteps(),
): Promise<FoundJoins> {
  return await reportJoins(await findAndChoose(tables, checks, steps), checks, steps);
}

/** Scores candidates with the given models and measures the links that are worth reporting. */
export async function judgeCandidates(
  candidates: JoinCandidates,
  models: JoinModelSets,
  checks: JoinChecks,
): Promise<FoundJoins> {
  const steps = new JoinSteps();
  return await reportJoins(await chooseJoins(candidates, models, steps), checks, steps);
}

export async function findCandidates(
  tables: readonly TableProfile[],
  checks: JoinChecks,
  steps = new JoinSteps(),
): Promise<JoinCandidates> {
  const schema = describeSchema(tables);
  const keys = [];
  for (const table of schema.tables) {
    keys.push(...(await findKeyCandidates(table, checks)));
    const pause = steps.pause();
    if (pause !== undefined) await pause;
  }
  steps.begin("compare", schema.columns.length);
  return { schema, keys, links: await findLinkCandidates(schema, checks, steps) };
}

/** What is left of the candidates: of a large schema, far less. */
interface ChosenJoins extends Pick<JoinCandidates, "schema" | "keys"> {
  readonly chosen: readonly ScoredKey[];
  /** Keys with which columns of other tables are compared, because links to them may be found. */
  readonly compared: ComparedKeys;
  readonly single: readonly ScoredLink[];
  /** Scores links of several columns. */
  readonly model: LogisticModel;
}

/** A function of its own, so that the candidates are not kept while the links are checked. */
async function findAndChoose(
  tables: readonly TableProfile[],
  checks: JoinChecks,
  steps: JoinSteps,
): Promise<ChosenJoins> {
  return await chooseJoins(await findCandidates(tables, checks, steps), joinModels, steps);
}

async function chooseJoins(candidates: JoinCandidates, models: JoinModelSets, steps: JoinSteps): Promise<ChosenJoins> {
  const { schema, keys } = candidates;
  const scores = await scoreCandidates(candidates, models, steps);
  const compared = new Map(
    [...scores.keys].filter(([{ minimal }, score]) => score >= (minimal ? thresholds.compared : thresholds.review)),
  );
  return {
    ...{ schema, keys, compared, chosen: chooseKeys(scores), single: await chooseLinks(scores, steps) },
    model: modelsFor(schema, models).composites,
  };
}

async function reportJoins(chosen: ChosenJoins, checks: JoinChecks, steps: JoinSteps): Promise<FoundJoins> {
  const { single } = chosen;
  steps.begin("check", chosen.compared.size + single.length);
  const composite = await findComposites(chosen, checks, steps);
  const links: FoundLink[] = [];
  links.push(...composite.map(reportComposite));
  for (const link of single) {
    links.push(await reportSingle(link, single, composite, checks));
    const pause = steps.next();
    if (pause !== undefined) await pause;
  }
  return {
    keys: chosen.chosen.map(({ key, score }) => ({ ...setOf(key.columns), score })),
    links: links.toSorted((a, b) => b.score - a.score),
  };
}

async function findComposites(
  chosen: ChosenJoins,
  checks: JoinChecks,
  steps: JoinSteps,
): Promise<readonly CompositeLink[]> {
  const found = await compareComposites(chosen, checks, steps);
  const scored = found.map((link) => {
    // Nothing says which of two siblings is the parent, or whether there is one.
    const siblings = (link.features.siblings ?? 0) > 0;
    return { ...link, score: scoreFeatures(chosen.model, link.features) * (siblings ? 0.5 : 1) };
  });
  return withoutMirrors(scored).filter(({ score }) => score >= thresholds.review);
}

async function compareComposites(
  { compared, single, ...candidates }: ChosenJoins,
  checks: JoinChecks,
  steps: JoinSteps,
): Promise<readonly CompositeCandidate[]> {
  const accepted = single.filter(({ score }) => score >= thresholds.accepted);
  const targets = new Map(accepted.map(({ link }) => [link.child, link.parent]));
  return await findCompositeLinks(compared, targets, candidates, checks, steps);
}

/** What may be a link of several columns, for models whose scores of single columns are given. */
export async function findCompositeCandidates(
  candidates: JoinCandidates,
  models: JoinModelSets,
  checks: JoinChecks,
): Promise<readonly CompositeCandidate[]> {
  const steps = new JoinSteps();
  return await compareComposites(await chooseJoins(candidates, models, steps), checks, steps);
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
  const through = composite.parents[composite.children.indexOf(child)];
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
