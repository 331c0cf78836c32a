import type { ProjectContext } from "../../context/project-context.ts";
import { withIngestState } from "./open-ingest-state.ts";
import { type ExplainedKey, explainedKeySchema } from "./provenance-results.ts";

/**
 * Explains why something is known: a page, a table, a column, a join, a model, an entry of a model, or a claim by its id. Compares quotes
 * with the stored texts.
 *
 * @throws NotFoundError if nothing was ingested; ConfigError if the file with decisions is invalid.
 */
export function explainKnowledge(key: string, context: ProjectContext): Promise<ExplainedKey> {
  return withIngestState(context, async (store) => {
    const { explainKey, provenanceOf, readDecisions } = await import("@bridle/ingest");
    const answer = explainKey(key, provenanceOf(store, readDecisions(context.project).decisions));
    return explainedKeySchema.parse({ ...answer, kind: answer.kind ?? null });
  });
}
