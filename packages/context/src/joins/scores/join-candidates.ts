import type { KeyCandidate } from "../keys/key-candidates.ts";
import type { LinkList } from "../links/link-list.ts";
import type { SchemaFacts } from "../schema-facts.ts";

/** Everything in a schema that may be a key or a link. */
export interface JoinCandidates {
  readonly schema: SchemaFacts;
  readonly keys: readonly KeyCandidate[];
  readonly links: LinkList;
}
