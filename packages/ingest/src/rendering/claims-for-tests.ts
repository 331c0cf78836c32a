/** Claims for tests, without models and candidates. */
import { toSlug } from "@bridle/context";
import type { Claim, ClaimSource } from "../claims/claim.ts";
import { claimIdOf } from "../claims/claim-id.ts";
import { stated } from "../curation/scripted-curator-for-tests.ts";
import type { StatementBody } from "../sources/candidate.ts";

/** Creates a claim with one statement. By default, the claim is current, has one document, and is on its topic's page. */
export function claimOf(
  statement: string,
  body: Partial<StatementBody> = {},
  more: Partial<Claim> & { readonly from?: readonly Partial<ClaimSource>[] } = {},
): Claim {
  const { from = [{}], ...claim } = more;
  const candidate = stated(statement, {}, body);
  const whole = candidate.body as StatementBody;
  return {
    id: claimIdOf(whole),
    body: whole,
    status: "current",
    authority: "document",
    conflicts: [],
    page: toSlug(whole.topic),
    sources: from.map((source) => stated(statement, source, body).source),
    ...claim,
  };
}

/** Makes claims contest each other. */
export function contested(...claims: readonly Claim[]): readonly Claim[] {
  return claims.map((claim) => ({
    ...claim,
    status: "contested",
    conflicts: claims.flatMap(({ id }) => (id === claim.id ? [] : [id])),
  }));
}
