/** Decides the status of claims from authority, date and users' decisions. Pure. */

import type { Claim, ClaimStatus } from "../../claims/claim.ts";
import type { Decisions } from "../../claims/decisions/decision-schema.ts";
import { normalForm } from "../../claims/wording/read-wording.ts";
import { authorities } from "../../sources/source.ts";
import { ConflictGraph } from "./conflict-graph.ts";
import type { ClaimConflict, DraftClaim } from "./draft-claim.ts";
import { type DecisionNote, PinnedClaims } from "./pins.ts";
import { isStronger, type Strength, strengthOf } from "./strength.ts";

export interface ResolvedClaims {
  /** The claims, sorted by id. */
  readonly claims: readonly Claim[];
  /** Notes for users about their decisions. */
  readonly notes: readonly DecisionNote[];
}

/**
 * Gives each claim its status. A claim is superseded if a stronger claim contradicts it. Claims that contradict each other are contested if
 * none is stronger. Superseded and removed claims supersede nothing.
 */
export function resolveClaims(
  drafts: readonly DraftClaim[],
  conflicts: readonly ClaimConflict[],
  decisions: Decisions,
): ResolvedClaims {
  return new ClaimResolver(drafts, conflicts, decisions).run();
}

class ClaimResolver {
  readonly #drafts: readonly DraftClaim[];
  readonly #bodies: ReadonlyMap<string, DraftClaim["body"]>;
  readonly #graph: ConflictGraph;
  readonly #pins: PinnedClaims;
  readonly #removed: ReadonlySet<string>;
  readonly #strengths: ReadonlyMap<string, Strength>;
  readonly #statuses = new Map<string, ClaimStatus>();

  constructor(drafts: readonly DraftClaim[], conflicts: readonly ClaimConflict[], decisions: Decisions) {
    this.#drafts = drafts.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    this.#bodies = new Map(drafts.map(({ id, body }) => [id, body]));
    this.#pins = new PinnedClaims(this.#drafts, decisions);
    this.#graph = new ConflictGraph(conflicts, this.#pins);
    this.#removed = findRemoved(this.#drafts, decisions, this.#pins);
    this.#strengths = new Map(
      this.#drafts.map(({ id, sources }) => [id, this.#pins.strengthOf(id) ?? strengthOf(sources)]),
    );
  }

  run(): ResolvedClaims {
    for (const { id } of this.#drafts) if (this.#removed.has(id)) this.#statuses.set(id, "removed");
    const open = this.#drafts.filter(({ id }) => !this.#removed.has(id));
    for (const { id } of this.#strongestFirst(open)) {
      this.#statuses.set(id, this.#beatenBy(id).length > 0 ? "superseded" : "current");
    }
    const contested = open.filter(({ id }) => this.#holds(id) && this.#rivals(id).length > 0);
    for (const { id } of contested) this.#statuses.set(id, "contested");
    const claims = this.#drafts.map((draft) => this.#toClaim(draft));
    return { claims, notes: this.#pins.notes(claims) };
  }

  /** Sorts the claims so that each comes after all claims that are stronger. */
  #strongestFirst(drafts: readonly DraftClaim[]): readonly DraftClaim[] {
    const placed = drafts.map((draft) => ({ draft, place: placeOf(this.#strengths.get(draft.id)) }));
    return placed
      .sort(({ place: a }, { place: b }) => a.rank - b.rank || (a.time === b.time ? 0 : b.time - a.time))
      .map(({ draft }) => draft);
  }

  #holds(id: string): boolean {
    const status = this.#statuses.get(id);
    return status === "current" || status === "contested";
  }

  #beatenBy(id: string): readonly string[] {
    return this.#graph.settleable(id).filter((other) => this.#holds(other) && this.#isStronger(other, id));
  }

  /** Returns the valid claims that contradict this one. */
  #rivals(id: string): readonly string[] {
    return this.#graph.of(id).filter((other) => this.#holds(other));
  }

  #isStronger(a: string, b: string): boolean {
    const [ours, theirs] = [this.#strengths.get(a), this.#strengths.get(b)];
    return ours !== undefined && theirs !== undefined && isStronger(ours, theirs);
  }

  #toClaim({ id, body, sources, page }: DraftClaim): Claim {
    const status = this.#statuses.get(id) ?? "current";
    const others = this.#graph.of(id).filter((other) => this.#statuses.get(other) !== "removed");
    const winners = status === "superseded" ? this.#beatenBy(id) : [];
    const reason = this.#graph.reasonOf(id, winners[0] ?? others[0]);
    const since = body.kind === "statement" ? body.since : undefined;
    const until = winners.flatMap((winner) => this.#sinceOf(winner) ?? []).sort()[0];
    return {
      id,
      body,
      status,
      sources,
      conflicts: others,
      authority: this.#strengths.get(id)?.authority ?? "inferred",
      ...(reason !== undefined && { conflictReason: reason }),
      ...(since !== undefined && { since }),
      ...(until !== undefined && { until }),
      ...(page !== undefined && { page }),
    };
  }

  #sinceOf(id: string): string | undefined {
    const body = this.#bodies.get(id);
    return body?.kind === "statement" ? body.since : undefined;
  }
}

function placeOf({ authority, date }: Strength = { authority: "inferred" }): { rank: number; time: number } {
  const time = date === undefined ? Number.NaN : Date.parse(date);
  return { rank: authorities.indexOf(authority), time: Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time };
}

/** Finds the claims that a user removed from a page or together with a page. Leaves out pinned claims. */
function findRemoved(
  drafts: readonly DraftClaim[],
  { removed = [] }: Decisions,
  pins: PinnedClaims,
): ReadonlySet<string> {
  const forms = new Set(removed.flatMap(({ statement }) => (statement === undefined ? [] : [normalForm(statement)])));
  const pages = new Set(removed.flatMap(({ statement, page }) => (statement === undefined ? (page ?? []) : [])));
  const gone = drafts.filter(
    ({ id, forms: own, page, body }) =>
      body.kind === "statement" &&
      !pins.has(id) &&
      (own.some((form) => forms.has(form)) || (page !== undefined && pages.has(page))),
  );
  return new Set(gone.map(({ id }) => id));
}
