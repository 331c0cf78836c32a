/** What is known after all candidates were checked, merged and put in order. Everything that is written follows from claims. */
import type { Authority } from "../sources/source.ts";
import type { CandidateBody, origins } from "./candidate.ts";

/** Where a claim comes from: a quote in one version of one item. */
export interface ClaimSource {
  readonly source: string;
  readonly item: string;
  /** The version in which the quote is. */
  readonly version: string;
  /** The title of the item. */
  readonly title: string;
  /** For people: a path in the project or an address. */
  readonly location?: string | undefined;
  readonly authority: Authority;
  /** When the item was changed, in ISO 8601. */
  readonly updatedAt?: string | undefined;
  readonly quote: string;
  /** Of the quote in the stored text of the version. */
  readonly start: number;
  readonly end: number;
  /** What this source says; others may say the same in other words. */
  readonly wording: string;
  readonly origin: (typeof origins)[number];
}

/**
 * `current`: it holds. `contested`: another claim says something else, and nothing decides between them. `superseded`: a stronger
 * or later claim says something else. `removed`: a person removed it from a file.
 */
export const claimStatuses = ["current", "contested", "superseded", "removed"] as const;
export type ClaimStatus = (typeof claimStatuses)[number];

export interface Claim {
  /** Short and stable: follows from the body, not from the sources. */
  readonly id: string;
  readonly body: CandidateBody;
  readonly status: ClaimStatus;
  /** At least one. The strongest first. */
  readonly sources: readonly ClaimSource[];
  /** The strongest of its sources, or `person` if it is pinned. */
  readonly authority: Authority;
  /** The claims that say something else: those it is contested by, superseded by, or that it supersedes. */
  readonly conflicts: readonly string[];
  /** What differs, in one sentence. */
  readonly conflictReason?: string | undefined;
  /** The day from which on it holds, if that is known. */
  readonly since?: string | undefined;
  /** The day until which it held: it is superseded by one that holds from then on. */
  readonly until?: string | undefined;
  /** The slug of the page of a statement. */
  readonly page?: string | undefined;
}
