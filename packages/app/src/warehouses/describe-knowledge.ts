import type { ProjectContext } from "../context/project-context.ts";
import { findTable } from "./find-table.ts";
import { type ListedDrift, listedDriftSchema, type ShownTable, shownTableSchema } from "./knowledge-schemas.ts";
import { withKnowledge } from "./open-knowledge.ts";

/** Describes everything that is known about one table. Throws InvalidRequestError if the name matches no table, or several. */
export function showTable(name: string, context: ProjectContext): Promise<ShownTable> {
  return withKnowledge(context, ({ knowledge }) => {
    const table = findTable(name, knowledge);
    return shownTableSchema.parse({ ...table, joins: knowledge.joins(table.id) });
  });
}

/** Lists the changes that the last scan of each connection found. */
export function listDrift(connection: string | undefined, context: ProjectContext): Promise<ListedDrift> {
  return withKnowledge(context, ({ knowledge }) => {
    const all = knowledge.connections().filter(({ name }) => connection === undefined || name === connection);
    const connections = all.map(({ name, scannedAt }) => ({ name, scannedAt, changes: knowledge.drift(name) }));
    return listedDriftSchema.parse({ connections });
  });
}
