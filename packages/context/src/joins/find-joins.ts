import { chooseKeys, chooseLinks, type ScoredKey, type ScoredLink, thresholds, withLinked } from "./choose-joins.ts";
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
import type { ColumnSet, JoinChecks, TableProfile } from "./profile.ts";
import { type FoundLink, reportComposite, reportSingle, setOf } from "./report-links.ts";
import { describeSchema } from "./schema-facts.ts";
import type { JoinCandidates } from "./scores/join-candidates.ts";
import { type JoinModelSets, type LogisticModel, modelsFor, scoreFeatures } from "./scores/models.ts";
import { scoreCandidates } from "./scores/score-candidates.ts";
import { joinModels } from "./scores/weights.ts";

/** A key in the data, declared or not. */
export interface FoundKey extends ColumnSet {
  /** The probability that a person would declare this key, from 0 to 1. */
  readonly score: number;
}

export interface FoundJoins {
  readonly keys: readonly FoundKey[];
  readonly links: readonly FoundLink[];
}

/**
 * Finds keys and links from measured facts, without a language model. Sends at most three queries for each table, one for each link that it
 * reports, and one for each other pair of columns that may be a link but has inconclusive sketches.
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

/** The candidates that remain, which are few even in a large schema. */
interface ChosenJoins extends Pick<JoinCandidates, "schema" | "keys"> {
  readonly chosen: readonly ScoredKey[];
  /** Keys to compare with columns of other tables, because these may link to them. */
  readonly compared: ComparedKeys;
  readonly single: readonly ScoredLink[];
  /** Scores links of several columns. */
  readonly model: LogisticModel;
}

/** Finds and chooses joins. A separate function, so that the candidates are not kept in memory while the links are checked. */
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
    schema,
    keys,
    compared,
    chosen: chooseKeys(scores),
    single: await chooseLinks(scores, steps),
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
    keys: withLinked(chosen.chosen, composite).map(({ key, score }) => ({ ...setOf(key.columns), score })),
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
    // Either of two siblings may be the parent, or neither.
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

/** Finds candidates for links of several columns, given the scores of single columns. */
export async function findCompositeCandidates(
  candidates: JoinCandidates,
  models: JoinModelSets,
  checks: JoinChecks,
): Promise<readonly CompositeCandidate[]> {
  const steps = new JoinSteps();
  return await compareComposites(await chooseJoins(candidates, models, steps), checks, steps);
}
