/** Merges joins and entries of metric models, which can be compared without calling a model. Pure. */
import { canonicalJson } from "@bridle/protocol";
import type { CheckedCandidate } from "../claims/checked-candidate.ts";
import type { ClaimSource } from "../claims/claim.ts";
import { claimIdOf, slotOf, wordKeys } from "../claims/claim-id.ts";
import type { CandidateBody } from "../sources/candidate.ts";
import { distinctSources } from "./claim-nodes.ts";
import type { ClaimConflict, DraftClaim } from "./resolution/draft-claim.ts";
import { byStrength } from "./resolution/strength.ts";

type EntryBody = Extract<CandidateBody, { kind: "join" | "model-part" }>;

interface EntryCandidate {
  readonly body: EntryBody;
  readonly source: ClaimSource;
}

export interface MergedEntries {
  readonly drafts: readonly DraftClaim[];
  readonly conflicts: readonly ClaimConflict[];
}

/** Merges equal entries into one claim with all sources. Entries with the same name and different meanings are in conflict. */
export function mergeEntries(candidates: readonly CheckedCandidate[]): MergedEntries {
  const entries = candidates.flatMap(({ body, source }): readonly EntryCandidate[] => {
    if (body.kind === "join") return [{ body, source }];
    return body.kind === "model-part" ? keysOfModel(body).map((part) => ({ body: part, source })) : [];
  });
  const groups = Map.groupBy(entries, ({ body }) => claimIdOf(body));
  const drafts = [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([id, group]) => toDraft(id, group) ?? []);
  const slots = Map.groupBy(drafts, ({ body }) => slotOf(body));
  return { drafts, conflicts: [...slots.values()].flatMap(conflictsIn) };
}

/** Turns the keys of a model, such as its primary key, into separate entries, because two sources may each know some of them. */
function keysOfModel(body: Extract<EntryBody, { kind: "model-part" }>): readonly EntryBody[] {
  if (body.part !== "model") return [body];
  const keys = Object.entries(body.entry).filter(([key]) => key !== "name");
  return keys.map(([key, value]) => ({ ...body, name: key, entry: { [key]: value } }));
}

function toDraft(id: string, group: readonly EntryCandidate[]): DraftClaim | undefined {
  const sorted = group.toSorted(
    (a, b) => byStrength(a.source, b.source) || (canonicalJson(a.body) < canonicalJson(b.body) ? -1 : 1),
  );
  const [first] = sorted;
  if (first === undefined) return undefined;
  return {
    id,
    body: withWords(first.body, sorted),
    sources: distinctSources(sorted.map(({ source }) => source)),
    forms: [],
  };
}

/** Returns the strongest entry, with the descriptions and labels that it lacks taken from the others. */
function withWords(body: EntryBody, group: readonly EntryCandidate[]): EntryBody {
  if (body.kind === "join") return body;
  const entry = { ...body.entry };
  for (const other of group) {
    if (other.body.kind !== "model-part") continue;
    for (const key of wordKeys) {
      const value = other.body.entry[key];
      if (entry[key] === undefined && value !== undefined && body.part !== "model") entry[key] = value;
    }
  }
  return { ...body, entry };
}

function conflictsIn(drafts: readonly DraftClaim[]): readonly ClaimConflict[] {
  return drafts.flatMap((a, index) =>
    drafts
      .slice(index + 1)
      .map((b) => ({ a: a.id, b: b.id, reason: differenceOf(a.body, b.body), isSettleable: true })),
  );
}

function differenceOf(a: CandidateBody, b: CandidateBody): string | undefined {
  if (a.kind === "join") return "The condition of the join differs.";
  if (a.kind !== "model-part" || b.kind !== "model-part") return undefined;
  const keys = [...new Set([...Object.keys(a.entry), ...Object.keys(b.entry)])];
  const differing = keys.filter((key) => canonicalJson(a.entry[key] ?? null) !== canonicalJson(b.entry[key] ?? null));
  return `${differing.filter((key) => !wordKeys.includes(key)).join(", ") || a.name} differs.`;
}
