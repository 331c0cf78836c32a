import { splitIdentifier } from "@bridle/context";
import type { Candidate } from "../candidate.ts";
import { projected, toStatement, toSubject, toTopic } from "../evidence/item-text.ts";
import { findNamedTable, joinsInSql } from "../evidence/sql-candidates.ts";
import type { Projection, ProjectionContext, StagedItem } from "../source.ts";
import { usualFilterPattern } from "./template-items.ts";

/** Projects joins that people use, and filters that they nearly always use. */
export function projectTemplates(source: string, items: readonly StagedItem[], context: ProjectionContext): Projection {
  const candidates = items.flatMap(({ id }) => {
    const text = context.textOf(id);
    const opening = "```sql\n";
    const start = text.indexOf(opening) + opening.length;
    const sql = text.slice(start, text.lastIndexOf("\n```"));
    const [, connection] = /^Connection: (.+)$/m.exec(text) ?? [];
    const joins = joinsInSql({ source, item: id, sql, start, connection }, context);
    return [...joins, ...filterStatements(source, id, text, connection, context)];
  });
  return { candidates, findings: [] };
}

function filterStatements(
  source: string,
  item: string,
  text: string,
  connection: string | undefined,
  context: ProjectionContext,
): readonly Candidate[] {
  return [...text.matchAll(usualFilterPattern)].flatMap((found) => {
    const [sentence, name = ""] = found;
    const table = findNamedTable(splitIdentifier(name) ?? name.split("."), connection, context);
    const statement = toStatement(sentence);
    if (table === undefined || statement === "") return [];
    const topic = toTopic(name.split(".").at(-1) ?? name);
    const body = {
      kind: "statement",
      subject: toSubject(`queries of ${topic}`),
      statement,
      topic,
      category: "caveat",
    } as const;
    return [projected({ ...body, tables: [table] }, { source, item, quote: sentence, start: found.index })];
  });
}
