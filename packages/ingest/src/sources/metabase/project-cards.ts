import { joinsInSql, measuresInSql } from "../evidence/sql-candidates.ts";
import type { Projection, ProjectionContext, StagedItem } from "../source.ts";
import { databaseOfCard, sqlInCard } from "./card-item.ts";

/** @param connections the connection of a database, by the id or name of the database. */
export function projectCards(
  source: string,
  items: readonly StagedItem[],
  connections: Readonly<Record<string, string>> | undefined,
  context: ProjectionContext,
): Projection {
  const candidates = items.flatMap(({ id }) => {
    const text = context.textOf(id);
    const found = sqlInCard(text);
    if (found === undefined) return [];
    const database = databaseOfCard(text);
    const connection =
      database === undefined ? undefined : (connections?.[database.id] ?? connections?.[database.name]);
    const sql = { source, item: id, ...found, connection };
    return [...joinsInSql(sql, context), ...measuresInSql(sql, context)];
  });
  return { candidates, findings: [] };
}
