import type { LinkCandidate } from "./link-list.ts";

/** Whether both columns have the same smallest number (if `bound` is 0) or greatest number (if `bound` is 1). */
export function sharesBound({ child, parent }: LinkCandidate, bound: 0 | 1): boolean {
  return child.integers && parent.integers && child.range !== undefined && child.range[bound] === parent.range?.[bound];
}
