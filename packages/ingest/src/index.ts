export type { Candidate, CandidateBody, Evidence, StatementBody } from "./claims/candidate.ts";
export type { Claim, ClaimSource, ClaimStatus } from "./claims/claim.ts";
export { createSource } from "./sources/kinds/create-source.ts";
export type { SourceServices } from "./sources/kinds/source-kind.ts";
export { type RecognisedSource, recogniseSources } from "./sources/recognition/recognise-sources.ts";
export {
  type Authority,
  authorities,
  type FetchContext,
  type FetchEvent,
  type IngestSource,
  type Projection,
  type ProjectionContext,
  type ProjectionFinding,
  type SourceItem,
  type StagedItem,
} from "./sources/source.ts";
