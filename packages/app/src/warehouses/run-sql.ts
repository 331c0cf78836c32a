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
  /** Gets warnings about the connection. */
  readonly logger?: Logger | undefined;
}

const names = z.array(z.string()).readonly();

export const sqlResultSchema = z.object({
  columns: z.array(z.object({ name: z.string(), type: z.string() })).readonly(),
  rows: z.array(z.array(z.json()).readonly()).readonly(),
  /** Which limit cut the result; null if it is whole. */
  truncated: z.enum(["rows", "bytes"]).nullable(),
  /** The tables that the statement read. */
  tables: names,
  /** Sensitive columns with values that were replaced by digests. */
  masked: names,
  /** Tables with rows that a row filter hides. */
  filtered: names,
  /** Why rows may be counted more than once, as sentences. */
  warnings: names,
  durationMs: z.number(),
});
export type SqlResult = z.output<typeof sqlResultSchema>;

/**
 * Runs one statement that reads, as an agent would.
 *
 * @throws ConfigError if the connection does not exist; StatementRefusedError before it runs; a BridleError of the warehouse.
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
