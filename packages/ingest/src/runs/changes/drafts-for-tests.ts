/** Creates drafts of claims from statements, for tests without a model. */

import { toSlug } from "@bridle/context";
import type { ClaimSource } from "../../claims/claim.ts";
import { claimIdOf } from "../../claims/claim-id.ts";
import { normalForm } from "../../claims/wording/read-wording.ts";
import type { DraftClaim } from "../../curation/resolution/draft-claim.ts";
import { stated } from "../../curation/scripted-curator-for-tests.ts";
import type { StatementBody } from "../../sources/candidate.ts";

/**
 * Creates a draft from a string such as `fares: Gross fare is before refunds.`: the topic and the statement. The subject of the draft is
 * the statement's part before the verb.
 */
function draftOf(text: string, source: Partial<ClaimSource> = {}, more: Partial<StatementBody> = {}): DraftClaim {
  const [, topic = "facts", statement = text] = /^([\w ]+): (.*)$/s.exec(text) ?? [];
  const { body, source: cited } = stated(statement, { item: `${topic}.md`, ...source }, { topic, ...more });
  return { id: claimIdOf(body), body, sources: [cited], forms: [normalForm(statement)], page: toSlug(topic) };
}

export function draftsOf(...texts: readonly string[]): readonly DraftClaim[] {
  return texts.map((text) => draftOf(text));
}
