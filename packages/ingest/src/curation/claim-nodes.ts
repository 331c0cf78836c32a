import type { CheckedCandidate } from "../claims/checked-candidate.ts";
import type { ClaimSource } from "../claims/claim.ts";
import { claimIdOf, slotOf } from "../claims/claim-id.ts";
import type { Comparable } from "../claims/wording/compare-wordings.ts";
import { readWording } from "../claims/wording/read-wording.ts";
import type { CandidateBody, StatementBody } from "../sources/candidate.ts";
import { byStrength } from "./resolution/strength.ts";

/** A statement or description in one wording, with all sources that use this wording. */
export interface ClaimNode extends Comparable {
  readonly id: string;
  /** The strongest source's body. */
  readonly body: Extract<CandidateBody, { kind: "statement" | "description" }>;
  /** The sources, the strongest first. */
  readonly sources: readonly ClaimSource[];
  /** The slot of a description. Undefined for a statement. */
  readonly slot?: string | undefined;
}

/** Returns the wordings of all statements and descriptions, sorted by id, so that the order of the candidates does not matter. */
export function toClaimNodes(candidates: readonly CheckedCandidate[]): readonly ClaimNode[] {
  const prose = candidates.flatMap(({ body, source }) => {
    return body.kind === "statement" || body.kind === "description" ? [{ body, source }] : [];
  });
  const groups = Map.groupBy(prose, ({ body }) => claimIdOf(body));
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([id, group]) => toNode(id, group) ?? []);
}

function toNode(
  id: string,
  group: readonly { readonly body: ClaimNode["body"]; readonly source: ClaimSource }[],
): ClaimNode | undefined {
  const sorted = group.toSorted((a, b) => byStrength(a.source, b.source) || compareAsJson(a.body, b.body));
  const [first] = sorted;
  if (first === undefined) return undefined;
  const sources = distinctSources(sorted.map(({ source }) => source));
  const { body } = first;
  if (body.kind === "description") {
    return { id, body, sources, slot: slotOf(body), wording: readWording(body.subject, body.text), tables: [] };
  }
  const since = sorted.flatMap((each) => sinceOf(each.body) ?? [])[0];
  const dated: StatementBody = since === undefined ? body : { ...body, since };
  return { id, body: dated, sources, wording: readWording(body.subject, body.statement), tables: body.tables };
}

function sinceOf(body: CandidateBody): string | undefined {
  return body.kind === "statement" ? body.since : undefined;
}

/** Returns the text of a node for comparisons. */
export function textOfNode({ body }: Pick<ClaimNode, "body">): string {
  return body.kind === "statement" ? body.statement : body.text;
}

/** Returns one source for each position in an item, the strongest first. */
export function distinctSources(sources: readonly ClaimSource[]): readonly ClaimSource[] {
  const keyOf = ({ source, item, start, end }: ClaimSource) => JSON.stringify([source, item, start, end]);
  const places = new Map<string, ClaimSource>();
  for (const source of sources.toSorted(byStrength)) if (!places.has(keyOf(source))) places.set(keyOf(source), source);
  return [...places.values()];
}

function compareAsJson(a: unknown, b: unknown): number {
  const [ours, theirs] = [JSON.stringify(a), JSON.stringify(b)];
  return ours < theirs ? -1 : ours > theirs ? 1 : 0;
}
