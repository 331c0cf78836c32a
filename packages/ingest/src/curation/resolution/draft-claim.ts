import type { ClaimSource } from "../../claims/claim.ts";
import type { CandidateBody } from "../../sources/candidate.ts";

/** A claim before its status is decided. */
export interface DraftClaim {
  readonly id: string;
  readonly body: CandidateBody;
  /** The sources, the strongest first. */
  readonly sources: readonly ClaimSource[];
  /** The normal forms of all wordings. Users' decisions refer to the claim by any of them. */
  readonly forms: readonly string[];
  /** The page that contains a statement. */
  readonly page?: string | undefined;
}

/** Two claims that cannot both be true. */
export interface ClaimConflict {
  /** The ids of the two claims. */
  readonly a: string;
  readonly b: string;
  /** The difference in one sentence. */
  readonly reason?: string | undefined;
  /**
   * Whether authority and date may decide. If not, only a user may decide: the wording does not prove that both claims are about the same
   * subject, so a model's mistake could retire a true statement.
   */
  readonly isSettleable: boolean;
}
