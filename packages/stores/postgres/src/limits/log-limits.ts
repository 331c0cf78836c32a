/** Stores used-up usage windows in the database of an event log. */
import { isSameWindow, type LimitState, type SharedLimits } from "@bridle/protocol";
import type { LogDatabase, SendStatement } from "../database/log-database.ts";

export function createLogLimits(database: LogDatabase): SharedLimits {
  return {
    read: (account) => database.read((send) => readWindow(send, account)),
    replace: (account, expected, next) =>
      database.write(async (send) => {
        if (await changeWindow(send, account, expected, next)) return true;
        return isSameWindow(await readWindow(send, account), next);
      }),
  };
}

async function readWindow(send: SendStatement, account: string): Promise<LimitState | undefined> {
  const [row] = await send("SELECT window_name, resets_at FROM limits WHERE account = $1", [account]);
  return row && { window: String(row.window_name), resetsAt: Number(row.resets_at) };
}

/**
 * Changes a window's row, and returns whether it was changed. If several processes try at the same time, the first one succeeds; the others
 * wait and then find the changed window.
 */
async function changeWindow(
  send: SendStatement,
  account: string,
  expected: LimitState | undefined,
  next: LimitState | undefined,
): Promise<boolean> {
  const before = [account, expected?.window, expected?.resetsAt];
  const after = [next?.window, next?.resetsAt];
  if (expected === undefined && next === undefined) return false;
  if (expected === undefined) return hasRow(send, statements.insert, [account, ...after]);
  if (next === undefined) return hasRow(send, statements.remove, before);
  return hasRow(send, statements.update, [...before, ...after]);
}

const isExpected = "account = $1 AND window_name = $2 AND resets_at = $3";

const statements = {
  insert: "INSERT INTO limits (account, window_name, resets_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING 1",
  remove: `DELETE FROM limits WHERE ${isExpected} RETURNING 1`,
  update: `UPDATE limits SET window_name = $4, resets_at = $5 WHERE ${isExpected} RETURNING 1`,
} as const;

async function hasRow(send: SendStatement, statement: string, values: readonly unknown[]): Promise<boolean> {
  return (await send(statement, values)).length > 0;
}
