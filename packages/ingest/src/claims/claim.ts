/** The result of checking, merging and ranking all candidates. All written files follow from claims. */

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
  /** For display: a path in the project or an address. */
  readonly location?: string | undefined;
  readonly authority: Authority;
  /** The time of the last change of the item, in ISO 8601. */
  readonly updatedAt?: string | undefined;
  readonly quote: string;
  /** The position of the quote in the stored text of the version. */
  readonly start: number;
  readonly end: number;
  /** The statement in the words of this source. Other sources may word it differently. */
  readonly wording: string;
  readonly origin: (typeof origins)[number];
}

/**
 * `current`: it is valid. `contested`: another claim contradicts it, and no rule decides between them. `superseded`: a stronger or later
 * claim contradicts it. `removed`: a user removed it from a file.
 */
export const claimStatuses = ["current", "contested", "superseded", "removed"] as const;
export type ClaimStatus = (typeof claimStatuses)[number];

export interface Claim {
  /** Short and stable: computed from the body, not from the sources. */
  readonly id: string;
  readonly body: CandidateBody;
  readonly status: ClaimStatus;
  /** At least one. The strongest first. */
  readonly sources: readonly ClaimSource[];
  /** The authority of its strongest source, or `person` if it is pinned. */
  readonly authority: Authority;
  /** The claims that contradict it: rivals of a contested claim, the claims that superseded it, and the claims that it supersedes. */
  readonly conflicts: readonly string[];
  /** The difference in one sentence. */
  readonly conflictReason?: string | undefined;
  /** The first day of validity, if known. */
  readonly since?: string | undefined;
  /** The end of its validity: the first day of the claim that superseded it. */
  readonly until?: string | undefined;
  /** The slug of the page of a statement. */
  readonly page?: string | undefined;
}
