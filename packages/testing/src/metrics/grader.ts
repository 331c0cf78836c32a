import type { TurnFacts } from "../result/turn-facts.ts";

/**
 * The result of a grader: a share from 0 to 1, or whether the turn is good, which is scored as 1 or 0. If `passed` contradicts the
 * comparison of the score with the threshold, the metric fails with an error.
 */
export type Grade =
  | number
  | boolean
  | { score: number; reason?: string; passed?: boolean }
  | { passed: boolean; reason?: string };

/**
 * Your own function that scores a turn.
 *
 * Contract: does not change its frozen input; ends within a minute, or when `signal` is aborted; throws if it cannot score,
 * which fails the test.
 */
export type Grader = (facts: TurnFacts, context: { readonly signal: AbortSignal }) => Grade | Promise<Grade>;
