/** What ingest wrote, as far as the claims of the run before say: for a project that has lost its record of it. */
import type { Claim } from "../claims/claim.ts";
import { planModels } from "../rendering/models/plan-models.ts";
import type { PagePlaces } from "../rendering/page-places.ts";
import { planPages } from "../rendering/plan-pages.ts";
import { planTables, type TablesInput } from "../rendering/tables/plan-tables.ts";
import type { WrittenRecord } from "../rendering/written-record.ts";

export interface RecoverOptions extends Pick<TablesInput, "fileOf" | "today"> {
  readonly claims: readonly Claim[];
  readonly places: PagePlaces;
  readonly signal: AbortSignal;
}

/** Renders the claims as they were written into empty files. What is missing in a file was not removed by a person: nobody knows. */
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
