import type { CandidateBody } from "../claims/candidate.ts";
import type { ClaimSource } from "../claims/claim.ts";

/** A claim before it is decided whether it holds. */
export interface DraftClaim {
  readonly id: string;
  readonly body: CandidateBody;
  /** The strongest first. */
  readonly sources: readonly ClaimSource[];
  /** The normal forms of all wordings, by which decisions of people find the claim. */
  readonly forms: readonly string[];
  /** The page of a statement. */
  readonly page?: string | undefined;
}

/** Two claims that cannot both hold. */
export interface ClaimConflict {
  /** Their ids. */
  readonly a: string;
  readonly b: string;
  /** What differs, in one sentence. */
  readonly reason?: string | undefined;
  /**
   * Whether the order of authority and date may decide. Otherwise only a person may: their words do not show that they are about
   * the same, so a model's mistake would retire what is true.
   */
  readonly isSettleable: boolean;
}
