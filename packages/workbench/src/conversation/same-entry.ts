import type { SessionEntry } from "../connection/session-entries.ts";

/** Whether two states of an entry show the same. Each event makes new entries, but what they hold is the same if it is unchanged. */
export function isSameEntry(before: SessionEntry, after: SessionEntry): boolean {
  if (before === after) return true;
  const [old, now] = [Object.entries(before), new Map(Object.entries(after))];
  return old.length === now.size && old.every(([name, value]) => Object.is(now.get(name), value));
}
