/** Recovers the record of written entries from the claims of the previous run, for a project that has lost its record. */
import type { Claim } from "../../claims/claim.ts";
import { planModels } from "../../rendering/models/plan-models.ts";
import type { PagePlaces } from "../../rendering/page-places.ts";
import { planPages } from "../../rendering/plan-pages.ts";
import { planTables, type TablesInput } from "../../rendering/tables/plan-tables.ts";
import type { WrittenRecord } from "../../rendering/written-record.ts";

export interface RecoverOptions extends Pick<TablesInput, "fileOf" | "today"> {
  readonly claims: readonly Claim[];
  readonly places: PagePlaces;
  readonly signal: AbortSignal;
}

/** Renders the previous claims into empty files. `isMerged` is true because a missing entry does not prove that a user removed it. */
export async function recoverWritten({ claims, places, ...options }: RecoverOptions): Promise<WrittenRecord> {
  const nothing = { decisions: {}, written: { files: new Map(), isMerged: true } };
  const topics = new Map(Array.from(places.names, ([key, slug]) => [slug, key.split(" / ")[0] ?? key]));
  const before = claims.map((claim) => (claim.page === undefined ? claim : { ...claim, page: topics.get(claim.page) }));
  const shared = { claims: before, ...nothing, ...options };
  const check = async () => ({ problems: [], statements: [], failing: [], violations: [] });
  const parts = [
    planPages({ ...shared, pages: [], places }),
    planTables({ ...shared, texts: new Map() }),
    await planModels({ ...shared, files: [], check }),
  ];
  return { files: new Map(parts.flatMap(({ written }) => [...written])), isMerged: true };
}
