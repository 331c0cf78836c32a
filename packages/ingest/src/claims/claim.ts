/** Claims are the result of checking, merging and ranking all candidates. All written files are computed from claims. */

import type { CandidateBody, origins } from "../sources/candidate.ts";
import type { Authority } from "../sources/source.ts";

/** The origin of a claim: a quote in one version of one item. */
export interface ClaimSource {
  readonly source: string;
  readonly item: string;
  /** The version that contains the quote. */
  readonly version: string;
  /** The title of the item. */
  readonly title: string;
  /** A path in the project or an address, for display. */
  readonly location?: string | undefined;
  readonly authority: Authority;
  /** When the item was last changed, in ISO 8601. */
  readonly updatedAt?: string | undefined;
  readonly quote: string;
  /** The position of the quote in the stored text of the version. */
  readonly start: number;
  readonly end: number;
  /** The statement in this source's words. Other sources may word the statement differently. */
  readonly wording: string;
  readonly origin: (typeof origins)[number];
}

/**
 * `current`: the claim is valid. `contested`: another claim contradicts it, and no rule decides between the two. `superseded`: a stronger
 * or later claim contradicts it. `removed`: a user removed the claim from a file.
 */
export const claimStatuses = ["current", "contested", "superseded", "removed"] as const;
export type ClaimStatus = (typeof claimStatuses)[number];

export interface Claim {
  /** A short, stable id that is computed from the body, not from the sources. */
  readonly id: string;
  readonly body: CandidateBody;
  readonly status: ClaimStatus;
  /** At least one source, the strongest first. */
  readonly sources: readonly ClaimSource[];
  /** The authority of the strongest source, or `person` if the claim is pinned. */
  readonly authority: Authority;
  /** The claims that contradict this one: rivals of a contested claim, the claims that superseded it, and the claims that it supersedes. */
  readonly conflicts: readonly string[];
  /** The difference between the claims, in one sentence. */
  readonly conflictReason?: string | undefined;
  /** The first day of validity, if known. */
  readonly since?: string | undefined;
  /** The end of validity: the first day of the claim that superseded this one. */
  readonly until?: string | undefined;
  /** The slug of the page that contains a statement. */
  readonly page?: string | undefined;
}
