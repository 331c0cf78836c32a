import { InvalidRequestError } from "@bridle/protocol";
import { z } from "zod";
import type { StatementLog } from "../../../port/connector.ts";
import { quoteName } from "../dialect/quote.ts";
import type { QueryCatalog } from "../session/statement-session.ts";

const placeQuery = `SELECT n.nspname AS schema FROM pg_catalog.pg_extension e
JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'pg_stat_statements'`;

/** Selects logged statements, without those of other databases and those that functions send. */
const logQuery = (
  schema: string,
) => `SELECT s.query, s.calls::float8 AS runs FROM ${quoteName(schema)}.pg_stat_statements s
WHERE s.dbid = (SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname = current_database())
  AND coalesce((to_jsonb(s) ->> 'toplevel')::boolean, true)
ORDER BY s.calls DESC LIMIT 5000`;

/** The text that the view shows instead of the statement of another account. */
const hiddenText = "<insufficient privilege>";

const placeSchema = z.array(z.object({ schema: z.string() }));
const logSchema = z.array(z.object({ query: z.string().nullable(), runs: z.number() }));

/** Reads the statements of all accounts from `pg_stat_statements`; undefined if the extension is not in use. */
export async function readPostgresLog(query: QueryCatalog): Promise<StatementLog | undefined> {
  const [place] = placeSchema.parse(await query(placeQuery, []));
  if (place === undefined) return undefined;
  const found = await query(logQuery(place.schema), []).catch(withoutLibrary);
  if (found === undefined) return undefined;
  const rows = logSchema.parse(found);
  const seen = rows.filter((row) => row.query !== null && row.query !== hiddenText);
  const statements = seen.map((row) => ({ sql: row.query ?? "", runs: row.runs }));
  return { source: "pg_stat_statements", statements, hidden: rows.length - seen.length };
}

/** Returns undefined if the extension exists, but the server does not load its library or the account may not read the view. */
function withoutLibrary(error: unknown): undefined {
  if (error instanceof InvalidRequestError) return undefined;
  throw error;
}
