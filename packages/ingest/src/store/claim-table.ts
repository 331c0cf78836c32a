import { z } from "zod";
import type { Claim } from "../claims/claim.ts";
import { claimSchema } from "../claims/claim-schema.ts";
import { compareClaims } from "../claims/compare-claims.ts";
import { jsonColumn, nullableText, type StoreDatabase } from "./store-database.ts";

/** A claim with the run that made it. */
export interface StoredClaim {
  readonly claim: Claim;
  /** When the claim was added, in ISO 8601. */
  readonly addedAt: string;
}

/** A claim that no document supports any longer. */
export interface FormerClaim extends StoredClaim {
  readonly endedAt: string;
  /** The id of the claim that replaced this one in the same document. */
  readonly replacedBy?: string | undefined;
}

const claimColumn = jsonColumn(claimSchema);
const claimRow = z.object({ claim: claimColumn, added_at: z.string() });
const formerRow = claimRow.extend({ ended_at: z.string(), replaced_by: nullableText });

/** The maximum number of former claims. Older ones are removed. */
const maxFormer = 20_000;

/** The claims of the last applied run, and former claims. */
export class ClaimTable {
  readonly #database: StoreDatabase;

  constructor(database: StoreDatabase) {
    this.#database = database;
  }

  list(): readonly Claim[] {
    return this.#database.all(claimRow, "SELECT * FROM claims ORDER BY id").map(({ claim }) => claim);
  }

  read(id: string): StoredClaim | undefined {
    const found = this.#database.get(claimRow, "SELECT * FROM claims WHERE id = :id", { id });
    return found && { claim: found.claim, addedAt: found.added_at };
  }

  /** Returns the claims that a claim replaced, and the claim itself if it ended, the newest first. */
  former(id: string): readonly FormerClaim[] {
    const select = "SELECT * FROM former_claims WHERE id = :id OR replaced_by = :id ORDER BY place DESC";
    return this.#database.all(formerRow, select, { id }).map((row) => ({
      claim: row.claim,
      addedAt: row.added_at,
      endedAt: row.ended_at,
      replacedBy: row.replaced_by,
    }));
  }

  /** Stores the claims of a run. Keeps claims that ended as former claims. */
  replace(claims: readonly Claim[], at: Date): void {
    const [before, now] = [this.list(), at.toISOString()];
    const { changed, evicted } = compareClaims(before, claims);
    const ended = [
      ...evicted.map((claim) => ({ claim, by: null })),
      ...changed.map((pair) => ({ claim: pair.before, by: pair.after.id })),
    ];
    const known = new Map(before.map((claim) => [claim.id, JSON.stringify(claim)]));
    this.#database.transaction(() => {
      for (const { claim, by } of ended) {
        const insert = `INSERT INTO former_claims (id, claim, added_at, ended_at, replaced_by)
          SELECT id, claim, added_at, :now, :by FROM claims WHERE id = :id`;
        this.#database.run(insert, { now, by, id: claim.id });
        this.#database.run("DELETE FROM claims WHERE id = :id", { id: claim.id });
      }
      for (const claim of claims) {
        const text = JSON.stringify(claim);
        const insert = "INSERT INTO claims VALUES (:id, :text, :now) ON CONFLICT (id) DO UPDATE SET claim = :text";
        if (known.get(claim.id) !== text) this.#database.run(insert, { id: claim.id, text, now });
      }
      const last = "SELECT place FROM former_claims ORDER BY place DESC LIMIT 1 OFFSET :max";
      this.#database.run(`DELETE FROM former_claims WHERE place <= (${last})`, { max: maxFormer });
    });
  }

  /** Removes the claims of items, as if the items had never been read. */
  forget(isForgotten: (source: { readonly source: string; readonly item: string }) => boolean): void {
    const says = (claim: Claim) => claim.sources.some(isForgotten);
    const rows = z.object({ place: z.number(), claim: claimColumn });
    this.#database.transaction(() => {
      for (const { place, claim } of this.#database.all(rows, "SELECT place, claim FROM former_claims"))
        if (says(claim)) this.#database.run("DELETE FROM former_claims WHERE place = :place", { place });
      for (const claim of this.list())
        if (says(claim)) this.#database.run("DELETE FROM claims WHERE id = :id", { id: claim.id });
    });
  }
}
