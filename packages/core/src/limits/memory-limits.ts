import { isSameWindow, type LimitState, type SharedLimits } from "@bridle/protocol";

/** Used-up windows that are shared within a process. */
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
