import { type ComparedRows, statementOfCall } from "@bridle/context";
import type { Call } from "@bridle/testing";

/** The rows that an answer is based on, and the statement that returned them. */
export interface AgentRows extends ComparedRows {
  /** The connection. Undefined if the agent has only one connection and did not name it. */
  readonly connection: string | undefined;
  readonly sql: string;
  /** Whether rows are missing, or values are digests of another session. The statement must then run again. */
  readonly isPartial: boolean;
}

/** Returns the rows of the last statement or metric query that read a table; undefined if none did. */
export function lastRowsOf(calls: readonly Call[]): AgentRows | undefined {
  for (const call of calls.toReversed()) {
    const found = call.state === "succeeded" ? rowsOf(call) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function rowsOf(call: Call): AgentRows | undefined {
  const { connection, sql, result } = statementOfCall(call, "") ?? {};
  if (sql === undefined || result === undefined || result.tables.length === 0) return undefined;
  const isPartial = result.truncated !== undefined || result.masked.length > 0;
  return { ...result, connection: connection === "" ? undefined : connection, sql, isPartial };
}
