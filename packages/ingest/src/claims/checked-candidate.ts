import type { CandidateBody } from "../sources/candidate.ts";
import type { ClaimSource } from "./claim.ts";

/** A candidate that passed every gate, with its position in the stored version. */
export interface CheckedCandidate {
  readonly body: CandidateBody;
  readonly source: ClaimSource;
}
