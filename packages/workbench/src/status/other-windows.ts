import type { ApiLimits } from "@bridle/client";

/** The windows besides the one that is used up. Accounts of several backends have windows of the same name. */
export function otherWindows(windows: ApiLimits["windows"], usedUp: ApiLimits["usedUp"]): ApiLimits["windows"] {
  return windows.filter(({ backend, window }) => backend !== usedUp?.backend || window !== usedUp.window);
}
