import type { KeyCandidate } from "../keys/key-candidates.ts";
import type { LinkList } from "../links/link-list.ts";
import type { SchemaFacts } from "../schema-facts.ts";

/** All possible keys and links of a schema. */
export interface JoinCandidates {
  readonly schema: SchemaFacts;
  readonly keys: readonly KeyCandidate[];
  readonly links: LinkList;
}
