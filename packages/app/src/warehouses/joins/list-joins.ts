import type { ProjectContext } from "../../context/project-context.ts";
import { findTable } from "../find-table.ts";
import { type ListedJoin, listedJoinsSchema } from "../knowledge-schemas.ts";
import { withKnowledge } from "../open-knowledge.ts";

export interface JoinSelection {
  /** Selects the joins of this table. */
  readonly table?: string | undefined;
  /** Selects the joins that need review by a user. */
  readonly review?: boolean | undefined;
}

/** Lists joins, the most reliable first. Throws InvalidRequestError if no table or several tables have the name. */
export function listJoins(
  { table, review = false }: JoinSelection,
  context: ProjectContext,
): Promise<{ readonly joins: readonly ListedJoin[] }> {
  return withKnowledge(context, ({ knowledge }) => {
    const joins = knowledge.joins(table === undefined ? undefined : findTable(table, knowledge).id);
    const selected = joins.filter(({ status }) => !review || status === "review");
    return listedJoinsSchema.parse({ joins: selected.toSorted((a, b) => b.score - a.score) });
  });
}
