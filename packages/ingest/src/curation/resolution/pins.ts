/** Applies users' decisions about claims that contradict each other. Pure. */
import { sha256 } from "@bridle/core";
import type { Claim, ClaimSource } from "../../claims/claim.ts";
import { claimIdOf } from "../../claims/claim-id.ts";
import { type Decisions, decisionsFile, type Pin } from "../../claims/decisions/decision-schema.ts";
import { normalForm } from "../../claims/wording/read-wording.ts";
import type { StatementBody } from "../../sources/candidate.ts";
import type { DraftClaim } from "./draft-claim.ts";
import type { Strength } from "./strength.ts";

/** A decision that a user should review. */
export interface DecisionNote {
  /**
   * `orphaned`: no document supports the chosen claim any longer. `contradicted`: a claim that the user did not see contradicts it.
   * `unknown`: the decision does not match any known statement.
   */
  readonly kind: "orphaned" | "contradicted" | "unknown";
  readonly statement: string;
  /** The note in one sentence. */
  readonly message: string;
  readonly claims: readonly string[];
}

/** The source name of claims from decisions. */
export const decisionsSource = "decisions";

/** The claims that a user chose. */
export class PinnedClaims {
  readonly #pins = new Map<string, Pin>();
  readonly #orphans = new Set<string>();
  readonly #choices: (readonly [string, string])[] = [];
  readonly #both = new Map<string, Set<number>>();

  constructor(drafts: readonly DraftClaim[], { pins = [], both = [] }: Decisions) {
    const byForm = new Map<string, string[]>();
    for (const { id, forms, body, sources } of drafts) {
      if (body.kind !== "statement") continue;
      if (sources.every(({ source }) => source === decisionsSource)) this.#orphans.add(id);
      for (const form of forms) byForm.set(form, [...(byForm.get(form) ?? []), id]);
    }
    const find = (statement: string) => byForm.get(normalForm(statement)) ?? [];
    for (const pin of pins) for (const id of find(pin.statement)) this.#pins.set(id, pin);
    for (const [id, pin] of this.#pins) {
      for (const other of (pin.over ?? []).flatMap(find)) if (other !== id) this.#choices.push([id, other]);
    }
    for (const [index, { statements }] of both.entries()) {
      for (const id of statements.flatMap(find)) this.#both.set(id, (this.#both.get(id) ?? new Set()).add(index));
    }
  }

  has(id: string): boolean {
    return this.#pins.has(id);
  }

  /** Returns the strength of a decision, which equals that of a user's statement of the same day. */
  strengthOf(id: string): Strength | undefined {
    const pin = this.#pins.get(id);
    return pin && { authority: "person", date: pin.at };
  }

  /** Returns pairs of a chosen claim and a rejected claim. */
  choices(): readonly (readonly [string, string])[] {
    return this.#choices;
  }

  /** Whether a user decided that both claims are true. */
  areBothTrue(a: string, b: string): boolean {
    const theirs = this.#both.get(b);
    return theirs !== undefined && Array.from(this.#both.get(a) ?? []).some((index) => theirs.has(index));
  }

  notes(claims: readonly Claim[]): readonly DecisionNote[] {
    const byId = new Map(claims.map((claim) => [claim.id, claim]));
    return Array.from(this.#pins, ([id, pin]): readonly DecisionNote[] => {
      const { statement } = pin;
      const isOrphan = this.#orphans.has(id);
      const orphaned = `No document supports the statement of ${whoseDecision(pin)} any more. Remove the decision if it does not hold.`;
      const seen = new Set(this.#choices.filter(([chosen]) => chosen === id).map(([, other]) => other));
      const unseen = (byId.get(id)?.conflicts ?? []).filter(
        (other) => !seen.has(other) && byId.get(other)?.status !== "removed",
      );
      const contradicted = `Something contradicts ${whoseDecision(pin)} that the decision does not name. Add it to over, or change the decision.`;
      return [
        ...(isOrphan ? [{ kind: "orphaned" as const, statement, message: orphaned, claims: [id] }] : []),
        ...(unseen.length > 0
          ? [{ kind: "contradicted" as const, statement, message: contradicted, claims: unseen }]
          : []),
      ];
    }).flat();
  }
}

function whoseDecision({ by, at }: Pin): string {
  return `the decision${by === undefined ? "" : ` of ${by}`}${at === undefined ? "" : ` of ${at}`}`;
}

/** Creates claims for the decisions that no document supports any longer: what a user stated remains. */
export function findOrphanedPins(drafts: readonly DraftClaim[], { pins = [] }: Decisions): readonly DraftClaim[] {
  const known = new Set(drafts.flatMap(({ forms, body }) => (body.kind === "statement" ? forms : [])));
  const orphans = pins.filter(({ statement }) => !known.has(normalForm(statement)));
  return [...new Map(orphans.map((pin) => [normalForm(pin.statement), toDraft(pin)])).values()];
}

function toDraft(pin: Pin): DraftClaim {
  const { statement, subject = statement.slice(0, 120), topic = subject.slice(0, 80), at, by } = pin;
  const body: StatementBody = { kind: "statement", subject, statement, topic, category: "definition", tables: [] };
  const title = by === undefined ? "A decision" : `A decision of ${by}`;
  const source: ClaimSource = {
    source: decisionsSource,
    item: decisionsFile,
    version: sha256(statement),
    title,
    location: decisionsFile,
    authority: "person",
    quote: statement,
    start: 0,
    end: statement.length,
    wording: statement,
    origin: "person",
    ...(at !== undefined && { updatedAt: at }),
  };
  return { id: claimIdOf(body), body, sources: [source], forms: [normalForm(statement)] };
}
