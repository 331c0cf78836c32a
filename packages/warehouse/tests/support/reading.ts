import type { ConnectContext, EngineConnection, StreamOptions } from "../../src/port/connector.ts";
import type { StatementContext } from "../../src/port/dialect.ts";
import { defaultLimits } from "../../src/port/limits.ts";
import type { ResultColumn, WarehouseRow } from "../../src/port/values.ts";

export const connectContext: ConnectContext = { projectDir: "/" };

/**
 * Returns a context that finds every table in its schema, and replaces those in `relations`. Adds each name to `found`, as the statement
 * contains it.
 */
export function resolveIn(
  schema: string,
  relations: Readonly<Record<string, string>> = {},
  found: string[] = [],
): StatementContext {
  return {
    resolve(name) {
      const table = name.at(-1) ?? "";
      found.push(name.join("."));
      return { schema: name.at(-2) ?? schema, table, relation: relations[table] };
    },
  };
}

export interface ReadResult {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly WarehouseRow[];
  readonly truncated: "rows" | "bytes" | undefined;
}

export async function readAll(
  connection: EngineConnection,
  sql: string,
  options: Partial<StreamOptions> = {},
): Promise<ReadResult> {
  const stream = connection.stream(sql, { ...defaultLimits, ...options });
  const columns = await stream.columns();
  const rows: WarehouseRow[] = [];
  for await (const batch of stream) rows.push(...batch);
  return { columns, rows, truncated: stream.truncated };
}

/** Returns the reason that a promise rejects with, or undefined. */
export async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
    return undefined;
  } catch (error) {
    return error ?? new Error("rejected without an error");
  }
}
