import { formatContextProblem, type Knowledge } from "@bridle/context";
import type { z } from "zod";
import type { ProjectContext } from "../context/project-context.ts";
import { describeIngest } from "./describe-ingest.ts";
import { type ContextStatus, contextStatusSchema } from "./knowledge-schemas.ts";
import { withKnowledge } from "./open-knowledge.ts";

/** Describes the connections and sources of the project, with the results of the last scan and ingest. Opens no connection. */
export async function describeWarehouses(context: ProjectContext): Promise<ContextStatus> {
  const scanned = await describeConnections(context);
  return contextStatusSchema.parse({ ...scanned, ...(await describeIngest(context.project)) });
}

const scannedSchema = contextStatusSchema.pick({ connections: true, fileProblems: true });

/** Describes the connections of the project with the results of the last scan. Opens no connection. */
export function describeConnections(context: ProjectContext): Promise<z.output<typeof scannedSchema>> {
  const configured = new Map(context.project.connections.map((connection) => [connection.name, connection]));
  return withKnowledge(context, ({ knowledge, files }) => {
    const scanned = new Map(knowledge.connections().map((facts) => [facts.name, facts]));
    const names = new Set([...configured.keys(), ...scanned.keys()]);
    return scannedSchema.parse({
      connections: [...names].map((name) => {
        const facts = scanned.get(name);
        return {
          name,
          type: configured.get(name)?.type ?? null,
          place: configured.get(name)?.place ?? null,
          scan: facts === undefined ? null : { ...facts, ...countsOf(name, knowledge) },
        };
      }),
      fileProblems: [...files.problems.map(formatContextProblem), ...files.unknownNotes.map(({ message }) => message)],
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
