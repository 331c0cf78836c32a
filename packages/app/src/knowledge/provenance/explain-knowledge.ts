import type { ProjectContext } from "../../context/project-context.ts";
import { withIngestState } from "./open-ingest-state.ts";
import { type ExplainedKey, explainedKeySchema } from "./provenance-results.ts";

/**
 * Explains why something is known: a page, a table, a column, a join, a model, an entry of one, or a claim by its id. Quotes are
 * compared with the stored texts.
 *
 * @throws NotFoundError if nothing was ingested; ConfigError if the file of decisions is wrong.
 */
export function explainKnowledge(key: string, context: ProjectContext): Promise<ExplainedKey> {
  return withIngestState(context, async (store) => {
    const { explainKey, provenanceOf, readDecisions } = await import("@bridle/ingest");
    const answer = explainKey(key, provenanceOf(store, readDecisions(context.project).decisions));
    return explainedKeySchema.parse({ ...answer, kind: answer.kind ?? null });
  });
}
