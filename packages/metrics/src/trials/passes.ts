/** Which way a score has to lie of its threshold: shares at least, times, costs and steps at most. */
export type Direction = "at-least" | "at-most";

/** Less than this is how numbers are held, not a difference: costs of 0.1 and 0.2 are at most 0.3. */
const equal = 1e-9;

/** Whether a score is what it has to be. A score that is exactly the threshold passes. */
export function passes(score: number, threshold: number, direction: Direction): boolean {
  return direction === "at-least" ? score >= threshold - equal : score <= threshold + equal;
}
