import { formatContextProblem, type Knowledge } from "@bridle/context";
import type { ProjectContext } from "../context/project-context.ts";
import { describeIngest } from "../ingest/describe-ingest.ts";
import { type ContextStatus, contextStatusSchema } from "./knowledge-schemas.ts";
import { withKnowledge } from "./open-knowledge.ts";

/** The connections and sources of the project, and what the last scan and ingest found. Opens no connection. */
export function describeWarehouses(context: ProjectContext): Promise<ContextStatus> {
  const configured = new Map(context.project.connections.map((connection) => [connection.name, connection]));
  return withKnowledge(context, async ({ knowledge, fileProblems, unknownNotes }) => {
    const ingest = await describeIngest(context.project);
    const scanned = new Map(knowledge.connections().map((facts) => [facts.name, facts]));
    const names = new Set([...configured.keys(), ...scanned.keys()]);
    return contextStatusSchema.parse({
      connections: [...names].map((name) => {
        const facts = scanned.get(name);
        return {
          name,
          type: configured.get(name)?.type ?? null,
          place: configured.get(name)?.place ?? null,
          scan: facts === undefined ? null : { ...facts, ...countsOf(name, knowledge) },
        };
      }),
      ...ingest,
      fileProblems: [...fileProblems.map(formatContextProblem), ...unknownNotes.map(({ message }) => message)],
    });
  });
}

function countsOf(connection: string, knowledge: Knowledge) {
  const tables = [...knowledge.tables()].filter((table) => table.connection === connection);
  const problems = tables.flatMap(({ id, problem }) => (problem === undefined ? [] : [{ table: id, problem }]));
  const ids = new Set(tables.map(({ id }) => id));
  const joins = knowledge.joins().filter(({ from }) => ids.has(from.table));
  return {
    problems,
    joins: joins.filter(({ status }) => status === "accepted").length,
    joinsToReview: joins.filter(({ status }) => status === "review").length,
    changes: knowledge.drift(connection).length,
  };
}
