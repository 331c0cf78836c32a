import type { Knowledge, KnownJoin } from "@bridle/context";
import { NotFoundError, omitUndefined, suggestion } from "@bridle/protocol";
import type { ProjectContext } from "../../context/project-context.ts";
import { type DecidedJoin, decidedJoinSchema, type ListedChanges, listedChangesSchema } from "../knowledge-schemas.ts";
import { withKnowledge } from "../open-knowledge.ts";

export interface JoinAnswer {
  /** The id of the join, as the list shows it. */
  readonly id: string;
  readonly status: "accepted" | "rejected";
  readonly reason?: string | undefined;
}

/**
 * Writes a user's decision about a join to the files of the project. Later scans keep it.
 *
 * @throws InvalidRequestError if the join does not exist.
 */
export function decideJoin({ id, status, reason }: JoinAnswer, context: ProjectContext): Promise<DecidedJoin> {
  return withKnowledge(context, async (opened) => {
    const join = findJoin(id, opened.knowledge);
    const { from, to, condition } = join;
    const relationship = join.relationship === "unknown" ? undefined : join.relationship;
    const result = await opened.files.change(
      { kind: "join", from, to, status, relationship, condition },
      { source: "person", ...omitUndefined({ reason }) },
    );
    return decidedJoinSchema.parse({ ...result, join });
  });
}

function findJoin(id: string, knowledge: Knowledge): KnownJoin {
  const joins = knowledge.joins();
  const join = joins.find((each) => each.id === id);
  if (join) return join;
  const ids = joins.map((each) => each.id);
  const remedy = suggestion(id, ids) || ' List them with "bridle context joins".';
  throw new NotFoundError(`There is no join ${id}.${remedy}`);
}

/** Lists the changes to the context's files that were made through Bridle, the newest first. */
export function listContextChanges(context: ProjectContext): Promise<ListedChanges> {
  return withKnowledge(context, (opened) => {
    const changes = opened.files.changes().map(({ before, after, ...change }) => ({
      ...change,
      ...(before !== undefined && { before: JSON.parse(before) }),
      after: JSON.parse(after),
    }));
    return listedChangesSchema.parse({ changes });
  });
}
