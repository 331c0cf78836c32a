/** Finds the relations between statements in the previous run. They remain while a model gives no answer. Pure. */
import type { Claim } from "../claims/claim.ts";
import { slotOf } from "../claims/claim-id.ts";
import { normalForm } from "../claims/wording/read-wording.ts";
import type { ClaimNode } from "./claim-nodes.ts";
import type { Relation } from "./pair-questions.ts";

interface PreviousRelation {
  readonly relation: Exclude<Relation, "different">;
  /** The difference in one sentence. */
  readonly reason?: string | undefined;
}

export class PreviousRelations {
  /** The claims with each wording. */
  readonly #claims = new Map<string, Set<Claim>>();

  constructor(claims: readonly Claim[]) {
    for (const claim of claims) for (const key of keysOf(claim)) this.#add(key, claim);
  }

  /** Returns undefined if one of the statements was unknown, or if they were unrelated. */
  find(a: ClaimNode, b: ClaimNode): PreviousRelation | undefined {
    const [ours, theirs] = [this.#of(a), this.#of(b)];
    if (ours.some((claim) => theirs.includes(claim))) return { relation: "same" };
    for (const our of ours) {
      const rival = theirs.find((their) => our.conflicts.includes(their.id) || their.conflicts.includes(our.id));
      if (rival !== undefined) return { relation: "conflict", reason: our.conflictReason ?? rival.conflictReason };
    }
    return undefined;
  }

  #of({ slot, wording }: ClaimNode): readonly Claim[] {
    return [...(this.#claims.get(keyOf(slot, wording.form)) ?? [])];
  }

  #add(key: string, claim: Claim): void {
    this.#claims.set(key, (this.#claims.get(key) ?? new Set()).add(claim));
  }
}

function keysOf({ body, sources }: Claim): readonly string[] {
  if (body.kind !== "statement" && body.kind !== "description") return [];
  const slot = body.kind === "description" ? slotOf(body) : undefined;
  const text = body.kind === "description" ? body.text : body.statement;
  return [text, ...sources.map(({ wording }) => wording)].map((wording) => keyOf(slot, normalForm(wording)));
}

function keyOf(slot: string | undefined, form: string): string {
  return JSON.stringify([slot ?? "", form]);
}
