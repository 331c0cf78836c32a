import type { Direction } from "@bridle/protocol";

/** Smaller differences are rounding errors: the sum of the costs 0.1 and 0.2 is at most 0.3. */
const epsilon = 1e-9;

/** Whether a score passes. A score that is exactly the threshold passes. */
export function passes(score: number, threshold: number, direction: Direction): boolean {
  return direction === "at-least" ? score >= threshold - epsilon : score <= threshold + epsilon;
}
