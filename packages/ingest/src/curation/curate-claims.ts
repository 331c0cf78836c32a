import { toSlug } from "@bridle/context";
import type { CheckedCandidate } from "../claims/checked-candidate.ts";
import type { Claim } from "../claims/claim.ts";
import type { Decisions } from "../claims/decisions/decision-schema.ts";
import type { FailedCall } from "./ask-in-batches.ts";
import { assignPages, type TopicPage } from "./assign-pages.ts";
import { type ClaimNode, distinctSources, toClaimNodes } from "./claim-nodes.ts";
import type { RefusedRelation } from "./cluster-statements.ts";
import { mergeEntries } from "./merge-entries.ts";
import { type RelatedNodes, type RelateOptions, relateNodes, type UndecidedPair } from "./relate-nodes.ts";
import type { ClaimConflict, DraftClaim } from "./resolution/draft-claim.ts";
import { type DecisionNote, findOrphanedPins } from "./resolution/pins.ts";
import { resolveClaims } from "./resolution/resolve-claims.ts";
import { byStrength } from "./resolution/strength.ts";

export interface CurateOptions extends RelateOptions {
  readonly decisions: Decisions;
  /** The existing pages, so that topics stay on them. */
  readonly pages: readonly TopicPage[];
}

export interface CuratedClaims {
  /** The claims, sorted by id. */
  readonly claims: readonly Claim[];
  /** The drafts from which `claims` were resolved, together with users' decisions. */
  readonly drafts: readonly DraftClaim[];
  readonly conflicts: readonly ClaimConflict[];
  /** Relations that models reported but that the statements themselves rule out. */
  readonly refused: readonly RefusedRelation[];
  /**
   * Pairs without a usable answer, which keep their relation from the previous run. For a new pair, both statements are kept: neither is
   * merged or retired.
   */
  readonly undecided: readonly UndecidedPair[];
  /** New topics without a usable answer. Each gets its own page. */
  readonly undecidedTopics: readonly string[];
  readonly failed: readonly FailedCall[];
  readonly notes: readonly DecisionNote[];
}

/**
 * Turns checked candidates into claims. A statement in several wordings becomes one claim with all sources. Authority, date and users
 * decide between contradicting statements; models only compare. The result does not depend on the order of the candidates.
 *
 * Rejects only if the signal is aborted, if the answer store cannot be used, or if a model is misconfigured.
 */
export async function curateClaims(
  candidates: readonly CheckedCandidate[],
  options: CurateOptions,
): Promise<CuratedClaims> {
  const nodes = toClaimNodes(candidates);
  const related = await relateNodes(nodes, options);
  const prose = related.clusters.map((places) => toDraft(places.flatMap((place) => nodes[place] ?? [])));
  const entries = mergeEntries(candidates);
  const found = [...prose, ...entries.drafts];
  const drafts = [...found, ...findOrphanedPins(found, options.decisions)];
  const assigned = await assignPages(topicsOf(drafts), options.pages, options);
  const placed = drafts.map((draft) => withPage(draft, assigned.pages));
  const conflicts = [...liftConflicts(related, prose), ...entries.conflicts];
  const { claims, notes } = resolveClaims(placed, conflicts, options.decisions);
  return {
    claims,
    notes,
    drafts: placed,
    conflicts,
    refused: related.refused,
    undecided: related.undecided,
    undecidedTopics: assigned.undecided,
    failed: [...related.failed, ...assigned.failed],
  };
}

/** Merges several wordings into one claim, whose body is that of the strongest source. */
function toDraft(nodes: readonly ClaimNode[]): DraftClaim {
  const sorted = nodes.toSorted((a, b) => {
    const [ours, theirs] = [a.sources[0], b.sources[0]];
    return ours === undefined || theirs === undefined ? 0 : byStrength(ours, theirs) || (a.id < b.id ? -1 : 1);
  });
  const [first] = sorted;
  if (first === undefined) throw new RangeError("A cluster has a node.");
  const sources = distinctSources(sorted.flatMap((node) => node.sources));
  const forms = [...new Set(sorted.map(({ wording }) => wording.form))];
  return { id: first.id, body: bodyOf(first, sorted), sources, forms };
}

/** Adds the tables of all wordings, and the first day of validity if any wording has one. */
function bodyOf({ body }: ClaimNode, nodes: readonly ClaimNode[]): DraftClaim["body"] {
  if (body.kind !== "statement") return body;
  const tables = [...new Set(nodes.flatMap((node) => node.tables))].sort().slice(0, 20);
  const dates = nodes.flatMap((node) => (node.body.kind === "statement" ? (node.body.since ?? []) : []));
  const since = body.since ?? dates.sort()[0];
  return { ...body, tables, ...(since !== undefined && { since }) };
}

function topicsOf(drafts: readonly DraftClaim[]): readonly string[] {
  return drafts.flatMap(({ body }) => (body.kind === "statement" ? [body.topic] : []));
}

function withPage(draft: DraftClaim, pages: ReadonlyMap<string, string>): DraftClaim {
  if (draft.body.kind !== "statement") return draft;
  const slug = toSlug(draft.body.topic);
  return { ...draft, page: pages.get(slug) ?? slug };
}

/** Converts conflicts between wordings to conflicts between their claims. */
function liftConflicts({ clusters, conflicts }: RelatedNodes, drafts: readonly DraftClaim[]): readonly ClaimConflict[] {
  const claimOf = new Map(clusters.flatMap((places, index) => places.map((place) => [place, drafts[index]?.id])));
  return conflicts.flatMap(({ a, b, reason, isSettleable }) => {
    const [ours, theirs] = [claimOf.get(a), claimOf.get(b)];
    return ours === undefined || theirs === undefined || ours === theirs
      ? []
      : [{ a: ours, b: theirs, reason, isSettleable }];
  });
}
