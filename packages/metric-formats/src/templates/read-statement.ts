import type { SemanticModel } from "@bridle/semantic/model-parts";
import { refuseImport } from "../import-report.ts";

/** The source of a model's rows. */
export type ModelRows = Pick<SemanticModel, "table" | "sql">;

export const statementNote = "Its query is kept as sql, and runs unchanged in the dialect of the connection.";

/** Returns a string that is a query for the rows of a model; undefined for other strings. Throws an ImportRefusalError for templates. */
export function readStatement(text: string): string | undefined {
  const sql = text.trim().replace(/\s*;$/, "");
  if (!/^(?:select|with)\b/i.test(sql)) return undefined;
  if (/[$@]\{|\{[{%#]|\{\s*[\p{L}_]/u.test(sql))
    refuseImport("Its query has a template, which another tool fills. Write the final query, or create a view.");
  return sql;
}
