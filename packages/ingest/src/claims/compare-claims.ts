/** Compares the claims of two runs. Pure. */
import { isDeepStrictEqual } from "node:util";
import type { Claim, ClaimStatus } from "./claim.ts";
import { areAboutTheSame } from "./wording/compare-wordings.ts";
import { readWording } from "./wording/read-wording.ts";

export interface ClaimDifferences {
  readonly added: readonly Claim[];
  /** Claims that an item now states differently, about the same subject. */
  readonly changed: readonly { readonly before: Claim; readonly after: Claim }[];
  /** Claims that no item supports any longer. */
  readonly evicted: readonly Claim[];
  /** Claims that are still valid, but with other sources. */
  readonly resourced: readonly {
    readonly claim: Claim;
    readonly lost: readonly string[];
    readonly gained: readonly string[];
  }[];
  /** Claims with a changed status. */
  readonly moved: readonly { readonly claim: Claim; readonly from: ClaimStatus }[];
}

export function compareClaims(before: readonly Claim[], after: readonly Claim[]): ClaimDifferences {
  const [old, current] = [byId(before), byId(after)];
  const fresh = after.filter(({ id }) => !old.has(id));
  const gone = before.filter(({ id }) => !current.has(id));
  const pairs = pairReplaced(gone, fresh);
  const [replaced, replacing] = [new Set(pairs.map((pair) => pair.before)), new Set(pairs.map((pair) => pair.after))];
  const kept = after.flatMap((claim) => {
    const former = old.get(claim.id);
    return former === undefined ? [] : [{ claim, former }];
  });
  return {
    added: fresh.filter((claim) => !replacing.has(claim)),
    changed: pairs,
    evicted: gone.filter((claim) => !replaced.has(claim)),
    resourced: kept.flatMap(({ claim, former }) => compareSources(claim, former) ?? []),
    moved: kept.flatMap(({ claim, former }) =>
      claim.status === former.status ? [] : [{ claim, from: former.status }],
    ),
  };
}

function byId(claims: readonly Claim[]): ReadonlyMap<string, Claim> {
  return new Map(claims.map((claim) => [claim.id, claim]));
}

function compareSources(claim: Claim, former: Claim): ClaimDifferences["resourced"][number] | undefined {
  const [now, then] = [itemsOf(claim), itemsOf(former)];
  if (isDeepStrictEqual(now, then)) return undefined;
  return {
    claim,
    lost: [...then].filter((item) => !now.has(item)),
    gained: [...now].filter((item) => !then.has(item)),
  };
}

/** Returns the documents of a claim, as `source: item`. */
function itemsOf({ sources }: Claim): ReadonlySet<string> {
  return new Set(sources.map(({ source, item }) => `${source}: ${item}`).sort());
}

/** Pairs each removed claim with a new claim of the same item about the same subject, and uses each claim at most once. */
function pairReplaced(gone: readonly Claim[], fresh: readonly Claim[]): ClaimDifferences["changed"] {
  const open = new Map<string, Claim[]>();
  for (const claim of fresh) for (const item of itemsOf(claim)) open.set(item, [...(open.get(item) ?? []), claim]);
  const used = new Set<Claim>();
  return gone.flatMap((before) => {
    const candidates = Array.from(itemsOf(before)).flatMap((item) => open.get(item) ?? []);
    const after = candidates.find((claim) => !used.has(claim) && areAboutOne(before, claim));
    if (after === undefined) return [];
    used.add(after);
    return [{ before, after }];
  });
}

function areAboutOne({ body: a }: Claim, { body: b }: Claim): boolean {
  if (a.kind === "statement" && b.kind === "statement") {
    return areAboutTheSame(readWording(a.subject, a.statement), readWording(b.subject, b.statement));
  }
  if (a.kind === "description" && b.kind === "description") return a.subject === b.subject;
  if (a.kind === "join" && b.kind === "join") return isDeepStrictEqual([a.from, a.to], [b.from, b.to]);
  return (
    a.kind === "model-part" && b.kind === "model-part" && a.model === b.model && a.part === b.part && a.name === b.name
  );
}
