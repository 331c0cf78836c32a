import type { LinkCandidate } from "./link-list.ts";

/** Whether the smallest or the greatest number is the same. */
export function sharesBound({ child, parent }: LinkCandidate, bound: 0 | 1): boolean {
  return child.integers && parent.integers && child.range !== undefined && child.range[bound] === parent.range?.[bound];
}
