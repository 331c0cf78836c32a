import { describeMultiplied, findMultipliedIn } from "@bridle/context";
import type { Logger } from "@bridle/protocol";
import { structureRows } from "@bridle/warehouse";
import { z } from "zod";
import type { ProjectContext } from "../context/project-context.ts";
import { chooseConnections } from "./choose-connections.ts";
import { openDataContext } from "./open-data-context.ts";

export interface SqlRequest {
  readonly connection: string;
  readonly statement: string;
  readonly maxRows?: number | undefined;
  readonly signal: AbortSignal;
  /** Receives warnings about the connection. */
  readonly logger?: Logger | undefined;
}

const names = z.array(z.string()).readonly();

export const sqlResultSchema = z.object({
  columns: z.array(z.object({ name: z.string(), type: z.string() })).readonly(),
  rows: z.array(z.array(z.json()).readonly()).readonly(),
  /** The limit that cut off the result; null if the result is complete. */
  truncated: z.enum(["rows", "bytes"]).nullable(),
  /** The tables that the statement read. */
  tables: names,
  /** Sensitive columns whose values were replaced with digests. */
  masked: names,
  /** Tables whose rows are partly hidden by a row filter. */
  filtered: names,
  /** Sentences about why rows may be counted more than once. */
  warnings: names,
  durationMs: z.number(),
});
export type SqlResult = z.output<typeof sqlResultSchema>;

/**
 * Runs one reading statement, in the same way as for an agent.
 *
 * @throws ConfigError if the connection does not exist; StatementRefusedError if the statement may not run; a BridleError of the warehouse.
 */
export async function runSql(
  { connection, statement, maxRows, signal, logger }: SqlRequest,
  context: ProjectContext,
): Promise<SqlResult> {
  await context.project.requireTrust();
  chooseConnections(connection, context);
  const opened = await openDataContext(context, { embedder: "none", logger });
  try {
    const result = await opened.sql(connection, statement, { limits: { maxRows }, signal });
    const { masked, filtered, durationMs } = result;
    const tables = result.tables.map(({ schema, table }) => `${schema}.${table}`);
    const truncated = result.truncated ?? null;
    const ran = { connection, statement, tables: result.tables };
    const warnings = findMultipliedIn(ran, opened.knowledge).map(describeMultiplied);
    return sqlResultSchema.parse({
      ...structureRows(result),
      truncated,
      tables,
      masked,
      filtered,
      warnings,
      durationMs,
    });
  } finally {
    await opened.close();
  }
}
