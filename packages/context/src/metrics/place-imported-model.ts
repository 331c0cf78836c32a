import type { SemanticModel } from "@bridle/semantic";
import type { Knowledge } from "../knowledge/knowledge.ts";
import { type PlacedModel, placeModel } from "./model-table.ts";

/**
 * Finds the table of a model that another tool wrote. Returns undefined if nothing has been scanned yet, and a sentence if the table does
 * not exist. Other tools may put the database's name first, so the last two of three names are tried, too.
 */
export function placeImportedModel(
  model: SemanticModel,
  knowledge: Knowledge,
  connections: readonly string[],
): PlacedModel | string | undefined {
  const scanned = new Set([...knowledge.tables()].map(({ connection }) => connection));
  const possible = connections.filter((name) => scanned.has(name));
  if (possible.length === 0) return undefined;
  const chosen = model.connection === undefined ? possible : [model.connection];
  const found = chosen.map((connection) => placeByName({ ...model, connection }, knowledge, connections));
  const placed = found.filter((each) => typeof each !== "string");
  if (placed.length > 1)
    return `Several connections have a table ${model.table ?? model.name}. Name one with --connection.`;
  return placed[0] ?? found[0];
}

function placeByName(model: SemanticModel, knowledge: Knowledge, connections: readonly string[]): PlacedModel | string {
  const placed = placeModel(model, knowledge, connections);
  const [database, ...table] = model.table?.split(".") ?? [];
  if (typeof placed !== "string" || database === undefined || table.length !== 2) return placed;
  const inner = placeModel({ ...model, table: table.join(".") }, knowledge, connections);
  return typeof inner === "string" ? placed : inner;
}
