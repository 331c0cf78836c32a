import type { ApiLimits } from "@bridle/client";

/** Returns the windows except the one that is used up. Accounts of different backends can have windows with the same name. */
export function otherWindows(windows: ApiLimits["windows"], usedUp: ApiLimits["usedUp"]): ApiLimits["windows"] {
  return windows.filter(({ backend, window }) => backend !== usedUp?.backend || window !== usedUp.window);
}
