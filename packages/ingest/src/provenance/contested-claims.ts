/** Finds contradictions that neither authority and date nor a user has decided. Pure. */
import type { Claim, ClaimSource } from "../claims/claim.ts";
import type { Decisions } from "../claims/decisions/decision-schema.ts";
import type { AddedDecisions } from "../claims/decisions/parse-decisions.ts";
import { normalForm } from "../claims/wording/read-wording.ts";
import { PinnedClaims } from "../curation/resolution/pins.ts";
import { describeBody } from "./describe-body.ts";

/** One side of a contradiction. */
export interface ContestedClaim {
  readonly id: string;
  /** The text of the claim in one line. */
  readonly text: string;
  /** The sources, the strongest first. */
  readonly sources: readonly ClaimSource[];
}

/** Claims that contradict each other, so at most one of them is true. */
export interface Contradiction {
  /** At least two claims, sorted by id. */
  readonly claims: readonly ContestedClaim[];
  /** The difference in one sentence. */
  readonly reason?: string | undefined;
  /** The pages that contain the claims. */
  readonly pages: readonly string[];
  /** Whether a user can choose. Contradictions of joins, descriptions and parts of models are settled in their files or documents. */
  readonly isDecidable: boolean;
}

/** Lists the contradictions that a user has to decide, sorted by id. Leaves out contradictions that `decisions` already settle. */
export function findContradictions(claims: readonly Claim[], decisions: Decisions): readonly Contradiction[] {
  const contested = claims.filter(({ status }) => status === "contested").toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const pins = new PinnedClaims(
    contested.map((claim) => ({ ...claim, forms: formsOf(claim) })),
    decisions,
  );
  const lost = new Set(pins.choices().map(([, other]) => other));
  const open = new Map(contested.flatMap((claim) => (lost.has(claim.id) ? [] : [[claim.id, claim] as const])));
  const rivalsOf = ({ id, conflicts }: Claim) =>
    conflicts.flatMap((other) => (pins.areBothTrue(id, other) ? [] : (open.get(other) ?? [])));
  const seen = new Set<string>();
  return [...open.values()].flatMap((claim) => {
    const group = collect(claim, rivalsOf, seen);
    return group.length < 2 ? [] : [toContradiction(group)];
  });
}

function collect(first: Claim, rivalsOf: (claim: Claim) => readonly Claim[], seen: Set<string>): readonly Claim[] {
  const group: Claim[] = [];
  const waiting = [first];
  for (let claim = waiting.pop(); claim !== undefined; claim = waiting.pop()) {
    if (seen.has(claim.id)) continue;
    seen.add(claim.id);
    group.push(claim);
    waiting.push(...rivalsOf(claim));
  }
  return group.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function toContradiction(group: readonly Claim[]): Contradiction {
  return {
    claims: group.map((claim) => ({ id: claim.id, text: describeBody(claim), sources: claim.sources })),
    reason: group.find(({ conflictReason }) => conflictReason !== undefined)?.conflictReason,
    pages: [...new Set(group.flatMap(({ page }) => page ?? []))],
    isDecidable: group.every(({ body }) => body.kind === "statement"),
  };
}

/** Who decides, when and why, for the decisions file. */
export interface DecidedBy {
  readonly by: string;
  /** The date, such as 2026-03-04. */
  readonly at: string;
  readonly reason?: string | undefined;
}

/** Returns the decision that a claim is true and that the claims contradicting it are not. Empty unless the claim is a statement. */
export function chooseClaim(id: string, claims: readonly Claim[], { by, at, reason }: DecidedBy): AddedDecisions {
  const chosen = claims.find((claim) => claim.id === id);
  if (chosen?.body.kind !== "statement") return {};
  const { subject, topic, statement } = chosen.body;
  const over = chosen.conflicts.flatMap((other) => {
    const rival = claims.find((claim) => claim.id === other);
    return rival?.body.kind === "statement" && rival.status === "contested" ? [rival.body.statement] : [];
  });
  return { pins: [{ statement, subject, topic, over, by, at, ...(reason !== undefined && { reason }) }] };
}

/** Returns the decision that all claims of a contradiction are true. */
export function acceptAll({ claims }: Contradiction, { by, at, reason }: DecidedBy): AddedDecisions {
  const statements = claims.map(({ text }) => text);
  return { both: [{ statements, by, at, ...(reason !== undefined && { reason }) }] };
}

function formsOf({ body, sources }: Claim): readonly string[] {
  if (body.kind !== "statement") return [];
  return [...new Set([normalForm(body.statement), ...sources.map(({ wording }) => normalForm(wording))])];
}
