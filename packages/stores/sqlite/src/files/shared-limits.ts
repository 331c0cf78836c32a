/** Stores used-up usage windows, which the processes share that have an event log on disk open. */
import type { DatabaseSync } from "node:sqlite";
import { inTransaction } from "@bridle/core";
import { isSameWindow, type LimitState, type SharedLimits } from "@bridle/protocol";
import { withFullSync } from "./full-sync.ts";

/** The statement of format 8. */
export const limitsTable = `
  CREATE TABLE limits (account TEXT PRIMARY KEY, window_name TEXT NOT NULL, resets_at REAL NOT NULL) STRICT, WITHOUT ROWID;
`;

export function createSharedLimits(database: DatabaseSync): SharedLimits {
  const find = database.prepare("SELECT window_name, resets_at FROM limits WHERE account = ?");
  const save = database.prepare("INSERT OR REPLACE INTO limits (account, window_name, resets_at) VALUES (?, ?, ?)");
  const remove = database.prepare("DELETE FROM limits WHERE account = ?");

  function read(account: string): LimitState | undefined {
    const row = find.get(account);
    return row && { window: String(row.window_name), resetsAt: Number(row.resets_at) };
  }

  function replace(account: string, expected: LimitState | undefined, next: LimitState | undefined): boolean {
    const stored = read(account);
    if (!isSameWindow(stored, expected)) return isSameWindow(stored, next);
    if (next === undefined) remove.run(account);
    else save.run(account, next.window, next.resetsAt);
    return true;
  }

  return {
    read: async (account) => read(account),
    replace: async (account, expected, next) =>
      withFullSync(database, () => inTransaction(database, () => replace(account, expected, next))),
  };
}
