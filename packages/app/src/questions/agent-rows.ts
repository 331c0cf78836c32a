import type { ComparedRows } from "@bridle/context";
import type { Call } from "@bridle/testing";
import { z } from "zod";

const values = z.array(z.array(z.json()).readonly()).readonly();
const columns = z.array(z.object({ type: z.string() })).readonly();
const names = z.array(z.unknown()).min(1);

const statementInput = z.object({ statement: z.string(), connection: z.string().optional() });
const statementOutput = z.object({
  rows: values,
  columns,
  tables: names,
  truncated: z.string().optional(),
  masked: z.array(z.string()).default([]),
});
const metricOutput = z.object({
  rows: values,
  columns,
  tables: names,
  connection: z.string(),
  sql: z.string(),
  truncated: z.string().optional(),
});

/** The rows that an answer is based on, and the statement that returned them. */
export interface AgentRows extends ComparedRows {
  /** Undefined if the agent has a single connection and named none. */
  readonly connection: string | undefined;
  readonly sql: string;
  /** Whether rows are missing, or values are digests of another session. Then the statement must run again. */
  readonly isPartial: boolean;
}

/** The rows of the last statement or metric query that read a table; undefined if there is none. */
export function lastRowsOf(calls: readonly Call[]): AgentRows | undefined {
  for (const call of calls.toReversed()) {
    const found = call.state === "succeeded" ? rowsOf(call) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function rowsOf({ tool, input, structured }: Call): AgentRows | undefined {
  if (tool === "query_metrics") {
    const output = metricOutput.safeParse(structured).data;
    return output && { ...output, isPartial: output.truncated !== undefined };
  }
  if (tool !== "run_sql") return undefined;
  const given = statementInput.safeParse(input).data;
  const output = statementOutput.safeParse(structured).data;
  if (given === undefined || output === undefined) return undefined;
  const isPartial = output.truncated !== undefined || output.masked.length > 0;
  return { ...output, connection: given.connection, sql: given.statement, isPartial };
}
