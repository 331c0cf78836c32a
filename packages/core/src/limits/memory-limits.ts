import { isSameWindow, type LimitState, type SharedLimits } from "@bridle/protocol";

/** Shares used-up windows within a process. */
export function createMemoryLimits(): SharedLimits {
  const windows = new Map<string, LimitState>();
  return {
    read: async (account) => windows.get(account),
    async replace(account, expected, next) {
      const stored = windows.get(account);
      if (!isSameWindow(stored, expected)) return isSameWindow(stored, next);
      if (next === undefined) windows.delete(account);
      else windows.set(account, next);
      return true;
    },
  };
}
